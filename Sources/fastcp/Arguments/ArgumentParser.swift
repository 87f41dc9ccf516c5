import FileCopy

/// The command line, split into options in their order and operands.
struct ParsedArguments: Equatable {
  struct Option: Equatable {
    var kind: OptionKind
    var value: BytePath?
  }

  var options: [Option] = []
  var operands: [BytePath] = []
  /// The error that ended the parsing; the options before it take effect first.
  var error: UsageError?
}

/// A parser of command lines that follows the rules of the GNU tools.
///
/// Options and operands may be mixed, and `--` ends the options. Letters may share one dash. A long
/// name may be abbreviated to a unique prefix.
struct ArgumentParser {
  /// Whether the first operand ends the options.
  var stopsAtOperand = false

  private static let dash = UInt8(ascii: "-")

  func parse(_ arguments: [BytePath]) -> ParsedArguments {
    var parsed = ParsedArguments()
    do throws(UsageError) {
      try parse(arguments[...], into: &parsed)
    } catch {
      parsed.error = error
    }
    return parsed
  }

  private func parse(
    _ arguments: ArraySlice<BytePath>,
    into parsed: inout ParsedArguments
  ) throws(UsageError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      let bytes = argument.bytes
      guard bytes.first == ArgumentParser.dash, bytes.count > 1 else {
        parsed.operands.append(argument)
        if stopsAtOperand { break }
        continue
      }
      if bytes.elementsEqual("--".utf8) { break }
      if bytes.starts(with: "--".utf8) {
        parsed.options.append(try long(argument, &rest))
      } else {
        try letters(bytes.dropFirst(), &rest, into: &parsed.options)
      }
    }
    parsed.operands += rest
  }

  /// Parses the letters after one dash. A value follows its letter or is the next argument.
  private func letters(
    _ letters: ArraySlice<UInt8>,
    _ rest: inout ArraySlice<BytePath>,
    into options: inout [ParsedArguments.Option]
  ) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      let scalar = Unicode.Scalar(letter)
      guard scalar.isASCII, let row = OptionTable.rows.first(where: { $0.letters.contains(scalar) })
      else { throw .unknownLetter(BytePath(bytes: [letter])) }
      guard row.value != nil, !row.isValueOptional else {
        options.append(.init(kind: row.kind))
        continue
      }
      let value = letters.isEmpty ? rest.popFirst() : BytePath(bytes: letters)
      guard let value else { throw .letterNeedsValue(String(scalar)) }
      options.append(.init(kind: row.kind, value: value))
      break
    }
  }

  /// Parses an option with two dashes. A value follows `=` or is the next argument.
  private func long(
    _ argument: BytePath,
    _ rest: inout ArraySlice<BytePath>
  ) throws(UsageError) -> ParsedArguments.Option {
    let parts = argument.bytes.dropFirst(2).split(
      separator: UInt8(ascii: "="),
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let row = try row(named: Array(parts[0]), argument)
    let name = row.name ?? ""
    guard row.value != nil else {
      if parts.count > 1 { throw .nameTakesNoValue(name) }
      return .init(kind: row.kind)
    }
    if parts.count == 1 && row.isValueOptional { return .init(kind: row.kind) }
    let value = parts.count > 1 ? BytePath(bytes: parts[1]) : rest.popFirst()
    guard let value else { throw .nameNeedsValue(name) }
    return .init(kind: row.kind, value: value)
  }

  private func row(named typed: [UInt8], _ argument: BytePath) throws(UsageError) -> OptionRow {
    // `--path` is the former name of `--parents`, which cp still accepts.
    let isFormer = typed.count > 2 && "path".utf8.starts(with: typed)
    let typed = isFormer ? Array("parents".utf8) : typed
    var candidates: [OptionRow] = []
    for row in OptionTable.rows {
      let (isPrefix, isName) = row.matches(typed)
      if isName { return row }
      if isPrefix { candidates.append(row) }
    }
    // An abbreviation that cp accepts must stay unique, so options that cp lacks are ignored then.
    let known = candidates.filter { !$0.kind.isOwn }
    if !known.isEmpty { candidates = known }
    guard let first = candidates.first else {
      let nearest = OptionTable.name(near: String(decoding: typed, as: UTF8.self))
      throw .unknownName(argument, nearest: nearest)
    }
    if candidates.count > 1 {
      throw .ambiguousName(argument, OptionTable.namesInOrder(of: candidates))
    }
    return first
  }
}
