import Testing

/// The comments and pages that the documentation site shows.
@Suite("Documentation")
struct DocumentationTests {
  private let repository = Repository.current

  @Test("Public comments and pages link to the rules whose numbers they name")
  func rules() {
    let sources = repository.files(in: "Sources")
    #expect(sources.flatMap(DocumentationRule.bareNumbers(in:)) == [])
    #expect(repository.pages.flatMap(DocumentationRule.bareNumbers(onPage:)) == [])
  }

  @Test("A number without a link is found")
  func bareNumbers() {
    func found(_ comment: String, _ declaration: String = "public func close() {}") -> Int {
      let file = SourceFile(path: "A.swift", text: "/// Closes it \(comment).\n\(declaration)\n")
      return DocumentationRule.bareNumbers(in: file).count
    }
    #expect(found("(S31)") == 1)
    #expect(found("(<doc:Rules#S31>, S32)") == 1)
    #expect(found("(<doc:Rules#S31>, <doc:Rules#S32>)") == 0)
    #expect(found("(S31)", "func close() {}") == 0)
    let page = SourceFile(path: "A.md", text: "# A\n\n| a | S3 |\n(<doc:Rules#S31>)\n")
    #expect(DocumentationRule.bareNumbers(onPage: page) == ["A.md:3: S3 without a link"])
  }

  @Test("Examples in comments are compiled, and the main types have one")
  func examples() {
    let sources = repository.files(in: "Sources")
    let compiled = repository.swiftFiles.filter {
      $0.path.hasPrefix("Snippets/") || $0.path.hasPrefix("Tests/ProductTests/")
    }
    let violations = sources.flatMap { DocumentationRule.violations(in: $0, compiled: compiled) }
    #expect(violations == [])
    #expect(DocumentationRule.typesWithoutExample(in: sources) == [])
  }

  @Test("An example that is not compiled is found")
  func uncompiled() {
    let compiled = [SourceFile(path: "B.swift", text: "func b() {\n  let a = 1\n\n  print(a)\n}\n")]
    func count(_ code: String) -> Int {
      let file = SourceFile(path: "A.swift", text: "/// ```swift\n\(code)\n/// ```\nlet a = 1\n")
      return DocumentationRule.violations(in: file, compiled: compiled).count
    }
    #expect(count("/// let a = 1\n///\n/// print(a)") == 0)
    #expect(count("/// print(a)") == 0)
    #expect(count("/// let a = 2\n///\n/// print(a)") == 1)
    #expect(count("/// let a = 1\n/// print(a)") == 1)
    let without = DocumentationRule.typesWithoutExample(in: compiled)
    #expect(without == DocumentationRule.mainTypes)
  }

  @Test("The README links every catalogue, each catalogue links the others, and all are built")
  func catalogues() throws {
    let modules = repository.pages.filter { $0.path.hasSuffix("\($0.module).docc/\($0.module).md") }
    #expect(modules.count == 6)
    let readme = try repository.file("README.md").lines
    let script = try repository.file("scripts/docs").lines
    let order = try #require(script.first { $0.hasPrefix("for module in ") }).split(separator: " ")
    for page in modules {
      #expect(readme.contains { $0.contains("](\(page.path))") }, "\(page.path)")
      #expect(order.contains { $0 == page.module || $0 == "\(page.module);" }, "\(page.path)")
      for other in modules where other.module != page.module {
        let link = "- [\(other.module)](/documentation/\(other.module.lowercased())): "
        #expect(page.lines.contains { $0.hasPrefix(link) }, "\(page.path): \(other.module)")
      }
    }
  }
}
