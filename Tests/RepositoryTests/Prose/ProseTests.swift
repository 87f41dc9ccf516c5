import Testing

/// The rules of prose, held against the repository.
@Suite("Prose")
struct ProseTests {
  private let repository = Repository.current

  private var files: [SourceFile] {
    repository.files(in: "Sources") + repository.documents + repository.pages
  }

  private func violations(in files: [SourceFile]) -> [String] {
    files.flatMap(ProseRule.violations).filter { violation in
      !ProseException.all.contains { $0.allows(violation) }
    }
  }

  @Test("Comments, pages and help lines keep the rules of STYLE")
  func everything() {
    let files = files.filter { !ProseExemptions.contains($0.path) }
    #expect(files.count > 100)
    #expect(violations(in: files) == [])
  }

  @Test("Exceptions are few, have a reason and are needed")
  func exceptions() {
    #expect(ProseException.all.count <= ProseException.limit)
    #expect(ProseException.all.allSatisfy { $0.reason.count > 10 })
    let found = files.flatMap(ProseRule.violations)
    let unused = ProseException.all.filter { !found.contains(where: $0.allows) }
    #expect(unused.map { "\($0.path): \($0.violation)" } == [])
  }

  @Test("Exempt files exist and are not rewritten yet, and the list gets no longer")
  func exemptions() {
    #expect(ProseExemptions.paths.count == ProseExemptions.count)
    let rewritten = ProseExemptions.paths.filter { path in
      violations(in: files.filter { $0.path.hasPrefix(path) }).isEmpty
    }
    #expect(rewritten == [], "take these paths from the list")
  }

  @Test("The table of options is read")
  func options() throws {
    let table = try repository.file("Sources/fastcp/Arguments/OptionTable.swift")
    #expect(ProseReader.texts(in: table).count { $0.kind == .help } > 30)
  }
}
