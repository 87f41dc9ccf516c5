/// Every test and every suite has a display name, which cites its rules in parentheses at the end.
enum TestNameRule {
  private static let attributes = ["@Test", "@Suite"]

  /// The display names of the tests and suites of a file.
  static func names(in file: SourceFile) -> [ProseText] {
    attributed(in: file).compactMap { line in
      name(at: line, in: file).map { ProseText(.testName, line: $0.line, $0.text) }
    }
  }

  /// The tests and suites without a display name, and the rules that their comments cite.
  static func violations(in file: SourceFile) -> [String] {
    attributed(in: file).flatMap { line -> [String] in
      var found: [String] = []
      if name(at: line, in: file) == nil {
        found.append("\(file.place(line)): a test or suite without a display name")
      }
      var index = line - 1
      while index >= 0, file.prose[index].trimmed.hasPrefix("///") {
        if !numbers(in: file.prose[index]).isEmpty {
          found.append("\(file.place(index)): a rule that the display name has to cite")
        }
        index -= 1
      }
      return found
    }
  }

  /// Returns what is wrong with the form of a display name.
  static func violations(inName text: String) -> [String] {
    var found: [String] = []
    if text.hasSuffix(".") { found.append("a name of a test that ends with a full stop") }
    if text.first?.isLowercase ?? true, !text.hasPrefix(ProseText.code),
      !lowerCaseWords.contains(String(text.prefix { $0 != " " }))
    {
      found.append("a name of a test that begins in lower case")
    }
    let end = text.hasSuffix(")") ? text.lastIndex(of: "(") ?? text.endIndex : text.endIndex
    if !numbers(in: String(text[..<end])).isEmpty {
      found.append("a name of a test that cites a rule before its end")
    }
    let cited = String(text[end...])
    if !numbers(in: cited).isEmpty,
      !cited.split(whereSeparator: { " (),".contains($0) }).allSatisfy({
        $0 == "to" || ReferenceRule.isNumber($0)
      })
    {
      found.append("a name of a test that cites rules among words")
    }
    return found
  }

  /// Names of programs, calls and file systems, which keep their first letter.
  private static let lowerCaseWords: Set<String> = ["btrfs", "copy_file_range", "ext4", "xfs"]

  /// The lines on which an attribute of a test or a suite begins.
  private static func attributed(in file: SourceFile) -> [Int] {
    file.code.indices.filter { index in
      let line = file.code[index].trimmed
      return attributes.contains {
        line.hasPrefix($0) && !(line.dropFirst($0.count).first.map(isPart) ?? false)
      }
    }
  }

  private static func isPart(_ character: Character) -> Bool {
    isWordByte(character.asciiValue ?? 0)
  }

  /// The display name of the attribute on a line; on the next line where the arguments begin there.
  private static func name(at line: Int, in file: SourceFile) -> (line: Int, text: String)? {
    let start = file.lines[line].trimmed.drop { $0 != "(" }
    if start == "(", line + 1 < file.lines.count {
      return literal(file.lines[line + 1].trimmed).map { (line + 1, $0) }
    }
    return literal(start.dropFirst()).map { (line, $0) }
  }

  /// The text of a literal at the beginning.
  private static func literal(_ code: some StringProtocol) -> String? {
    guard code.first == "\"" else { return nil }
    var text = ""
    var isEscaped = false
    for character in code.dropFirst() {
      if isEscaped {
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return text
      } else {
        text.append(character)
      }
    }
    return nil
  }

  /// The numbers of rules that a text cites.
  private static func numbers(in text: String) -> [String] {
    text.split { !isWordByte($0.asciiValue ?? 0) }.map(String.init)
      .filter { ReferenceRule.isNumber($0) }
  }
}
