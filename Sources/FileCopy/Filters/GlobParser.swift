/// A parser of one glob in the syntax of gitignore.
struct GlobParser {
  private let bytes: [UInt8]
  /// Whether the glob is matched with paths, in which `**` may stand for directories.
  private let isPath: Bool
  /// The index of the next byte.
  private var next = 0
  private var parts: [Glob.Part] = []

  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")
  private static let backslash = UInt8(ascii: "\\")
  private static let opening = UInt8(ascii: "[")
  private static let closing = UInt8(ascii: "]")

  private init(_ bytes: [UInt8], isPath: Bool) {
    self.bytes = bytes
    self.isPath = isPath
  }

  /// Returns the glob of a pattern without its marks, such as a negation.
  static func glob(
    _ bytes: ArraySlice<UInt8>,
    isPath: Bool
  ) throws(CopyFilterError.Reason) -> Glob {
    var parser = GlobParser(Array(bytes), isPath: isPath)
    try parser.parse()
    return Glob(parts: parser.parts)
  }

  /// Whether a byte has a meaning of its own in a glob.
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte == star || byte == UInt8(ascii: "?") || byte == opening || byte == backslash
  }

  private mutating func parse() throws(CopyFilterError.Reason) {
    // As in git, the bytes before the first special one are compared on their own. So `**` behind
    // them is at the start of a glob, and means directories.
    let start = bytes.firstIndex(where: GlobParser.isSpecial) ?? bytes.count
    while let byte = take() {
      switch byte {
      case GlobParser.backslash:
        guard let escaped = take() else { throw .trailingBackslash }
        parts.append(.byte(escaped))
      case UInt8(ascii: "?"): parts.append(.anyByte)
      case GlobParser.opening: parts.append(.set(try parseClass()))
      case GlobParser.star: addStars(after: start)
      default: parts.append(.byte(byte))
      }
    }
  }

  private mutating func take() -> UInt8? {
    guard next < bytes.count else { return nil }
    next += 1
    return bytes[next - 1]
  }

  /// Returns the byte at a distance from the next one.
  private func peek(_ distance: Int = 0) -> UInt8? {
    next + distance < bytes.count ? bytes[next + distance] : nil
  }

  /// Adds the part of one or more stars, the first of which was taken.
  private mutating func addStars(after start: Int) {
    let first = next - 1
    while peek() == GlobParser.star { next += 1 }
    let isDouble = next - first > 1
    let beginsName = first == start || bytes[first - 1] == GlobParser.slash
    guard isPath, isDouble, beginsName else { return parts.append(.run) }
    switch peek() {
    case nil: parts.append(.everything)
    case GlobParser.slash:
      next += 1
      parts += [.optionalDirectories, .directories]
    case GlobParser.backslash where peek(1) == GlobParser.slash: parts.append(.everything)
    default: parts.append(.run)
    }
  }

  /// Parses a class behind its opening bracket. No class contains the slash.
  private mutating func parseClass() throws(CopyFilterError.Reason) -> ByteSet {
    var set = ByteSet()
    let isNegated = peek() == UInt8(ascii: "!") || peek() == UInt8(ascii: "^")
    if isNegated { next += 1 }
    // A closing bracket in the first place is an element. The first element of a range stays known.
    var previous: UInt8?
    var isFirst = true
    while true {
      guard let byte = take() else { throw .unclosedClass }
      if byte == GlobParser.closing && !isFirst { break }
      isFirst = false
      previous = try element(byte, after: previous, of: &set)
    }
    if isNegated { set.invert() }
    set.remove(GlobParser.slash)
    return set
  }

  /// Adds the element of a class that begins with a byte.
  ///
  /// - Returns: The byte that a range may begin with; nil after a range or named class.
  private mutating func element(
    _ byte: UInt8,
    after previous: UInt8?,
    of set: inout ByteSet
  ) throws(CopyFilterError.Reason) -> UInt8? {
    switch byte {
    case GlobParser.backslash:
      guard let escaped = take() else { throw .unclosedClass }
      set.insert(escaped)
      return escaped
    case UInt8(ascii: "-"):
      guard let first = previous, let end = peek(), end != GlobParser.closing else { break }
      next += 1
      var last = end
      if end == GlobParser.backslash {
        guard let escaped = take() else { throw .unclosedClass }
        last = escaped
      }
      if first <= last { set.insert(first...last) }
      return nil
    case GlobParser.opening where peek() == UInt8(ascii: ":"):
      let name = next + 1
      guard let end = bytes[name...].firstIndex(of: GlobParser.closing) else {
        throw .unclosedClass
      }
      // Otherwise the bracket is a mere element.
      guard end > name, bytes[end - 1] == UInt8(ascii: ":") else { break }
      guard set.insert(classNamed: bytes[name..<(end - 1)]) else { throw .unknownClass }
      next = end + 1
      return nil
    default: break
    }
    set.insert(byte)
    return byte
  }
}
