/// Every invariant of the engine names tests that hold it, and each of those is there.
enum InvariantRule {
  /// An invariant and the tests that it names.
  typealias Row = (number: String, tests: [String])

  /// The invariants and what stands in the column of their tests, as `File/function`.
  static func rows(in document: SourceFile) -> [Row] {
    document.lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmed }
      guard cells.count == 3, cells[0].first == "I", ReferenceRule.isNumber(cells[0]) else {
        return nil
      }
      return (cells[0], LayerRule.quoted(in: cells[2]))
    }
  }

  static func violations(in rows: some Sequence<Row>, tests files: [SourceFile]) -> [String] {
    rows.flatMap { number, tests in
      tests.isEmpty
        ? ["\(number): no test"]
        : tests.filter { !isThere($0, in: files) }.map { "\(number): there is no test \($0)" }
    }
  }

  /// Whether a file of that name has a test of that name.
  private static func isThere(_ test: String, in files: [SourceFile]) -> Bool {
    let parts = test.split(separator: "/")
    guard parts.count == 2 else { return false }
    return files.contains { file in
      file.name == parts[0]
        && file.code.indices.contains { index in
          file.code[index].contains("func \(parts[1])(")
            && file.code[...index].suffix(attributeReach).contains { $0.contains("@Test") }
        }
    }
  }

  /// The lines that an attribute with arguments may take, before its function.
  private static let attributeReach = 12
}
