import Testing

/// The rules of prose, held against the repository.
@Suite("Prose")
struct ProseTests {
  private let repository = Repository.current

  private static let files =
    Repository.current.files(in: "Sources", "Snippets", "Benchmarks", "Tests")
    + Repository.current.documents + Repository.current.pages

  /// All violations, exceptions included, by the path of the file.
  private static let found: [String: [String]] = Dictionary(
    uniqueKeysWithValues: files.map { ($0.path, ProseRule.violations(in: $0)) }
  )

  private func violations(below path: String) -> [String] {
    ProseTests.found.filter { $0.key.hasPrefix(path) }.values.joined().filter { violation in
      !ProseException.all.contains { $0.allows(violation) }
    }
  }

  @Test("Comments, pages, help lines and names of tests keep the rules of STYLE")
  func everything() {
    let paths = ProseTests.files.map(\.path)
    #expect(paths.count > 100)
    #expect(paths.flatMap(violations(below:)) == [])
  }

  @Test("Every test has a display name, which cites its rules")
  func testNames() {
    let files = repository.files(in: "Tests")
    #expect(files.flatMap(TestNameRule.violations(in:)) == [])
    #expect(files.flatMap(TestNameRule.names(in:)).count > 1000)
  }

  @Test("Exceptions are few, have a reason and are needed")
  func exceptions() {
    #expect(ProseException.all.count <= ProseException.limit)
    #expect(ProseException.all.allSatisfy { $0.reason.count > 10 })
    let found = ProseTests.found.values.joined()
    let unused = ProseException.all.filter { !found.contains(where: $0.allows) }
    #expect(unused.map { "\($0.path): \($0.violation)" } == [])
  }

  @Test("The table of options is read")
  func options() throws {
    let table = try repository.file("Sources/fastcp/Arguments/OptionTable.swift")
    #expect(ProseReader.texts(in: table).count { $0.kind == .help } > 30)
  }
}
