import IOChannelsTestSupport
import Testing

/// Every rule, held against the repository itself.
@Suite("Repository")
struct WholeRepositoryTests {
  private let repository = Repository.current

  @Test("The repository is found")
  func found() {
    #expect(repository.files(in: "Sources").count > 10)
    #expect(repository.files(in: "Tests").count > 10)
    #expect(repository.documents.count > 5)
  }

  @Test("Functions and lines keep their sizes")
  func sizes() {
    #expect(repository.swiftFiles.flatMap(SizeRule.violations) == [])
  }

  @Test("Types have few extension files and functions")
  func typeSizes() {
    #expect(TypeSizeRule.violations(in: repository.files(in: "Sources")) == [])
  }

  @Test("The parts of the copier take few parameters and do not know the walk")
  func partsOfTheCopier() {
    let copier = repository.files(in: "Sources").filter { $0.module == "FileCopy" }
    #expect(TypeSizeRule.longParameterLists(in: copier) == [])
    let users = copier.filter { $0.code.contains { contains(word: "TreeWalk", in: $0) } }
    #expect(users.map(\.name).sorted() == ["CopyParts", "TreeWalk"])
  }

  @Test("The benchmarks have at most 15 % of the lines of the sources")
  func benchmarkSize() {
    let files = repository.swiftFiles + repository.cFiles
    let benchmarks = files.filter { $0.area == "Benchmarks" }
    #expect(benchmarks.contains { $0.path.hasSuffix(".c") })
    let sources = files.filter { $0.area == "Sources" }
    #expect(SizeRule.violations(benchmarks: benchmarks, sources: sources) == [])
  }

  @Test("Modules import what the architecture allows, and only lower layers")
  func layers() throws {
    let page = try repository.file("Documentation/Internals/ARCHITECTURE.md")
    let modules = LayerRule.modules(in: page)
    #expect(LayerRule.violations(in: modules) == [])
    let sources = repository.files(in: "Sources")
    #expect(sources.flatMap { LayerRule.violations(in: $0, modules: modules) } == [])
    let targets = LayerRule.targets(in: try repository.file("Package.swift"))
    #expect(targets == Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0.imports) }))
  }

  @Test("Unsafe code stands where the list allows it")
  func unsafeList() throws {
    let rows = UnsafeRule.rows(in: try repository.file("Documentation/Internals/UNSAFE.md"))
    let files = repository.files(in: "Sources", "Tests")
    #expect(UnsafeRule.violations(in: files, listed: rows) == [])
  }

  @Test("Misuse is checked in every build")
  func preconditions() {
    #expect(PreconditionRule.violations(in: repository.files(in: "Sources")) == [])
  }

  @Test("Nothing is left over")
  func leftovers() {
    let files = repository.swiftFiles + repository.documents + repository.pages
    #expect(files.flatMap(LeftoverRule.violations) == [])
  }

  @Test("Public declarations are documented")
  func comments() {
    #expect(repository.files(in: "Sources").flatMap(CommentRule.violations) == [])
  }

  @Test("Documents point to files that exist")
  func paths() {
    let missing = repository.documents.flatMap { document in
      ReferenceRule.paths(in: document)
        .filter { !repository.exists($0.path) }
        .map { "\(document.place($0.line)): \($0.path)" }
    }
    #expect(missing == [])
  }

  @Test("Numbers that code and tests quote are defined once")
  func numbers() throws {
    var defined: [String] = []
    for path in Set(ReferenceRule.lists.values) {
      defined += ReferenceRule.defined(in: try repository.file(path))
    }
    #expect(Set(defined).count == defined.count)
    let own = "Tests/RepositoryTests/"
    let unknown = repository.swiftFiles.filter { !$0.path.hasPrefix(own) }.flatMap { file in
      ReferenceRule.quoted(in: file)
        .filter { !defined.contains($0.number) }
        .map { "\(file.place($0.line)): \($0.number)" }
    }
    #expect(unknown == [])
  }

  @Test("The lists of numbers have no gap")
  func numberLists() throws {
    let copying = Array(1...45) + Array(51...76)
    for (letter, numbers) in [
      ("T", copying), ("I", Array(1...23)), ("F", Array(1...24)), ("B", Array(1...28)),
    ] {
      let path = try #require(ReferenceRule.lists[Character(letter)])
      let defined = ReferenceRule.defined(in: try repository.file(path))
        .filter { $0.hasPrefix(letter) }
      #expect(defined == numbers.map { "\(letter)\($0)" })
    }
  }

  @Test("Every rule and every invariant has tests, which are there, or a reason to have none")
  func namedTests() throws {
    let tests = repository.files(in: "Tests")
    let semantics = try repository.file("Documentation/Reference/SEMANTICS.md")
    #expect(NamedTestRule.rows(in: semantics).count > 140)
    #expect(NamedTestRule.violations(in: semantics, tests: tests) == [])
    let testing = try repository.file("Documentation/Internals/TESTING.md")
    #expect(NamedTestRule.rows(in: testing).count { $0.number.hasPrefix("I") } == 23)
    #expect(NamedTestRule.violations(in: testing, of: ["I"], tests: tests) == [])
  }

  @Test("The change log's top entry is the copier's version")
  func version() throws {
    let top = try #require(VersionRule.top(of: try repository.file("CHANGELOG.md")))
    let text = try runSuccessfully([BuiltProgram.fastcp.path, "--version"])
    #expect(VersionRule.printed(text) == top)
  }

  @Test("Scripts can be run, and integration runs the command of the README")
  func scripts() throws {
    for name in [
      "setup", "run", "test", "check", "bench", "docs", "rules", "fuzz", "leaks", "mutants",
      "build-gcd", "check-gcd", "install", "profile",
    ] {
      #expect(repository.isExecutable("scripts/\(name)"), "\(name)")
    }
    #expect(repository.isExecutable(".ci/run"))
    let commands = try repository.file(".ci/run").lines
    #expect(commands.contains("scripts/check"))
    #expect(commands.contains("scripts/test"))
    let readme = try repository.file("README.md").lines
    #expect(readme.contains { $0.hasSuffix("scripts/test") })
    #expect(readme.contains { $0.contains("scripts/run -a ") })
  }

  @Test("The README's example is the one that is compiled")
  func readmeExample() throws {
    let readme = try repository.file("README.md").lines
    let start = try #require(readme.firstIndex(of: "```swift"))
    let example = readme[(start + 1)...].prefix { $0 != "```" }
    let compiled = try repository.file("Tests/ProductTests/ReadmeExample.swift").lines
    #expect(Array(example) == Array(compiled.prefix(example.count)))
    let rest = compiled.dropFirst(example.count).filter { !$0.isEmpty }
    #expect(rest == [])
  }

  @Test("Every reason for a skip is explained", arguments: Need.allCases)
  func needs(need: Need) throws {
    let document = try repository.file("Documentation/Internals/TESTING.md")
    #expect(document.lines.contains { $0.hasPrefix("| `\(need.rawValue)` |") })
  }
}
