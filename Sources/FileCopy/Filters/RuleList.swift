/// Patterns in their order, of which the last one that matches a name decides about it.
struct RuleList: Hashable, Sendable {
  private(set) var rules: [FilterRule] = []
  /// The indices of the rules about names in every directory.
  private(set) var names: [Int] = []
  /// The indices of the rules about paths.
  private(set) var paths: [Int] = []

  /// Creates an empty list.
  init() {}

  /// Creates the list of a `.gitignore` file. As in git, a flawed pattern matches nothing.
  init(ignoreFile contents: [UInt8]) {
    for line in RuleList.lines(of: contents) {
      guard let rule = try? FilterRule(line.pattern) else { continue }
      append(rule)
    }
  }

  mutating func append(_ rule: FilterRule) {
    if case .paths = rule.form {
      paths.append(rules.count)
    } else {
      names.append(rules.count)
    }
    rules.append(rule)
  }

  /// A line that holds a pattern.
  struct Line: Equatable {
    /// The number of the line; the first one is 1.
    var number: Int
    var pattern: ArraySlice<UInt8>
  }

  /// Returns the lines of a file that hold patterns.
  ///
  /// Empty lines and lines that begin with `#` hold none. A carriage return and spaces at the end
  /// of a line are not part of the pattern, unless a backslash stands before the space.
  static func lines(of contents: [UInt8]) -> [Line] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = contents.starts(with: mark) ? contents.dropFirst(mark.count) : contents[...]
    var lines: [Line] = []
    var number = 0
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      let bare = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let pattern = withoutTrailingSpaces(bare.prefix { $0 != 0 })
      if !pattern.isEmpty { lines.append(Line(number: number, pattern: pattern)) }
    }
    return lines
  }

  private static func withoutTrailingSpaces(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    var index = line.startIndex
    while index < line.endIndex {
      let byte = line[index]
      if byte == UInt8(ascii: "\\") { index += 1 }
      index += 1
      if byte != UInt8(ascii: " ") { end = min(index, line.endIndex) }
    }
    return line[..<end]
  }
}
