/// One pattern in the syntax of gitignore.
struct FilterRule: Hashable, Sendable {
  /// The names that a pattern matches.
  enum Form: Hashable, Sendable {
    /// One name, in every directory.
    case name([UInt8])
    /// Names that end with some bytes, in every directory.
    case suffix([UInt8])
    /// Names that a glob matches, in every directory.
    case names(Glob)
    /// Paths below the directory of the list, which a glob matches.
    case paths(Glob)
  }

  /// Whether the pattern includes what it matches.
  let isNegated: Bool
  /// Whether the pattern matches only directories.
  let needsDirectory: Bool
  let form: Form

  /// Parses a pattern.
  ///
  /// `!` at its start negates it, and a slash at its end restricts it to directories. With any
  /// other slash the pattern is relative to the directory of its list.
  init(_ pattern: some Sequence<UInt8>) throws(CopyFilterError.Reason) {
    let slash = UInt8(ascii: "/")
    var bytes = ArraySlice(Array(pattern))
    let isNegated = bytes.first == UInt8(ascii: "!")
    if isNegated { bytes.removeFirst() }
    let needsDirectory = bytes.last == slash
    if needsDirectory { bytes.removeLast() }
    let isPath = bytes.contains(slash)
    if isPath && bytes.first == slash { bytes.removeFirst() }
    if bytes.isEmpty { throw .empty }
    self.isNegated = isNegated
    self.needsDirectory = needsDirectory
    form = try FilterRule.form(bytes, isPath: isPath)
  }

  private static func form(
    _ bytes: ArraySlice<UInt8>,
    isPath: Bool
  ) throws(CopyFilterError.Reason) -> Form {
    if isPath { return .paths(try GlobParser.glob(bytes, isPath: true)) }
    if !bytes.contains(where: GlobParser.isSpecial) { return .name(Array(bytes)) }
    let rest = bytes.dropFirst()
    if bytes.first == UInt8(ascii: "*"), !rest.contains(where: GlobParser.isSpecial) {
      return .suffix(Array(rest))
    }
    return .names(try GlobParser.glob(bytes, isPath: false))
  }

  /// Whether the pattern matches a name in every directory. A path depends on the directory.
  func matches(_ name: ArraySlice<UInt8>) -> Bool {
    switch form {
    case .name(let own): name.elementsEqual(own)
    case .suffix(let end): name.count >= end.count && name.suffix(end.count).elementsEqual(end)
    case .names(let glob): glob.matches(name)
    case .paths: false
    }
  }
}
