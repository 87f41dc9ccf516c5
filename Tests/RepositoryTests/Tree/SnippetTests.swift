import IOChannelsTestSupport
import Testing

extension Repository {
  fileprivate static var snippetPaths: [String] { current.files(in: "Snippets").map(\.path) }
}

/// The examples on the pages of the modules.
@Suite("Snippets")
struct SnippetTests {
  private let repository = Repository.current

  @Test("Pages show what is compiled, and every snippet is shown")
  func pages() {
    let snippets = repository.files(in: "Snippets")
    let guides = repository.documents.filter { $0.path.hasPrefix("Documentation/Using/") }
    let pages = repository.pages + guides
    #expect(!repository.pages.isEmpty && !guides.isEmpty)
    #expect(pages.flatMap { SnippetRule.violations(on: $0, snippets: snippets) } == [])
    let shown = pages.flatMap(SnippetRule.examples).compactMap(\.snippet)
    #expect(Set(shown) == Set(snippets.map(\.path)))
  }

  @Test("Snippets print the promised lines", arguments: Repository.snippetPaths)
  func outputs(path: String) throws {
    let snippet = try repository.file(path)
    let program = BuiltProgram.directory + "/" + snippet.name
    let text = try runSuccessfully([program])
    #expect(text.split(separator: "\n").map(String.init) == SnippetRule.output(of: snippet))
  }

  /// The programs of a usual tool or server, which the library has to keep short.
  private static let shortPrograms = [
    "ChecksumTool", "CopyTool", "EchoServer", "LogReader", "LogTail", "ProcessRelay",
  ]

  @Test(
    "Six usual programs have at most 48 lines, and exit with a status after an error",
    arguments: shortPrograms
  )
  func lengths(name: String) throws {
    let snippet = try repository.file("Snippets/\(name).swift")
    #expect(snippet.lines.count <= 48)
    // An error that leaves the top level is a crash with a stack trace.
    #expect(snippet.lines.contains { $0.contains("catch {") })
    #expect(snippet.lines.contains { $0.contains("exit(") })
  }

  @Test("Pages quote numbers that are defined")
  func numbers() throws {
    let rules = try repository.file("Documentation/Reference/SEMANTICS.md")
    let defined = Set(ReferenceRule.defined(in: rules))
    let quoted = repository.pages.flatMap(ReferenceRule.quoted).map(\.number)
    #expect(quoted.filter { !defined.contains($0) } == [])
  }

  @Test("An example that differs from its snippet is found")
  func differences() {
    let snippet = SourceFile(
      path: "Snippets/A.swift",
      text: "// A.\n\nlet a = 1\n\n// snippet.hide\n// out\n"
    )
    #expect(SnippetRule.shown(of: snippet) == ["let a = 1"])
    #expect(SnippetRule.output(of: snippet) == ["out"])
    func violations(_ text: String) -> [String] {
      SnippetRule.violations(on: SourceFile(path: "A.md", text: text), snippets: [snippet])
    }
    #expect(violations("<!-- Snippets/A.swift -->\n```swift\nlet a = 1\n```\n") == [])
    #expect(
      violations("<!-- Snippets/A.swift -->\n```swift\nlet a = 2\n```\n")
        == ["A.md:2: other code than in Snippets/A.swift"]
    )
    #expect(violations("```swift\nlet a = 1\n```\n") == ["A.md:1: code without a snippet"])
    #expect(
      violations("<!-- Snippets/B.swift -->\n```swift\n```\n")
        == ["A.md:2: there is no Snippets/B.swift"]
    )
  }
}
