/// Every numbered rule of a table names tests that hold it, and each of those is there.
enum NamedTestRule {
  /// A rule and the tests that it names.
  typealias Row = (number: String, tests: [String])

  /// The rules and what stands in the column of their tests, as `File/function`.
  static func rows(in document: SourceFile) -> [Row] {
    document.lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmed }
      guard cells.count == 3, line.hasPrefix("|"), ReferenceRule.isNumber(cells[0]) else {
        return nil
      }
      return (cells[0], LayerRule.quoted(in: cells[2]))
    }
  }

  /// The rules that no test holds: lines below a heading of their own, each with the reason.
  static func unheld(in document: SourceFile) -> [String] {
    document.lines.drop { $0 != "## Not held yet" }.dropFirst().prefix { !$0.hasPrefix("#") }
      .compactMap { line in
        let word = line.prefix { $0 != ":" }
        return word.count < line.count && ReferenceRule.isNumber(word) ? String(word) : nil
      }
  }

  /// What is wrong with the rules of some lists, named by their letters.
  static func violations(
    in document: SourceFile,
    of letters: Set<Character> = ["S", "I"],
    tests files: [SourceFile]
  ) -> [String] {
    func belongs(_ number: String) -> Bool { number.first.map(letters.contains) ?? false }
    let rows = rows(in: document).filter { belongs($0.number) }
    let unheld = unheld(in: document).filter(belongs)
    var found = rows.flatMap { number, tests in
      tests.isEmpty && !unheld.contains(number)
        ? ["\(number): no test"]
        : tests.filter { !isThere($0, in: files) }.map { "\(number): there is no test \($0)" }
    }
    for number in unheld {
      let row = rows.first { $0.number == number }
      if row == nil { found.append("\(number): not held, and no rule") }
      if row?.tests.isEmpty == false { found.append("\(number): not held, and has a test") }
    }
    let known = Set(rows.map(\.number))
    found += ReferenceRule.defined(in: document)
      .filter { belongs($0) && !known.contains($0) }
      .map { "\($0): no column for tests" }
    return found
  }

  /// Whether a file of that name has a test of that name.
  static func isThere(_ test: String, in files: [SourceFile]) -> Bool {
    let parts = test.split(separator: "/")
    guard parts.count == 2 else { return false }
    return files.contains { file in
      file.name == parts[0]
        && file.code.indices.contains { index in
          file.code[index].contains("func \(parts[1])(") && isTest(index, in: file.code)
        }
    }
  }

  /// Whether the function of a line has the attribute, which no other function stands behind.
  private static func isTest(_ index: Int, in code: [String]) -> Bool {
    guard let start = code[...index].lastIndex(where: { $0.contains("@Test") }) else {
      return false
    }
    return !code[start..<index].contains { $0.contains("func ") }
  }
}
