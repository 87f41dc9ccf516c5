import Testing

@Suite("Names of targets and types")
struct NameTests {
  private let repository = Repository.current

  @Test("No target or product has the name of one in a much used package")
  func targets() throws {
    let own = NameRule.names(inManifest: try repository.file("Package.swift"))
    let others = NameRule.names(
      inTable: try repository.file("Tests/Tables/swift-package-targets.txt")
    )
    #expect(own.isSuperset(of: ["IOChannels", "DataRegions", "QueueRuntime"]))
    #expect(others.count > 500)
    #expect(NameRule.collisions(of: own, with: others) == [])
  }

  @Test("Every public type is compiled beside the types of other packages")
  func types() throws {
    let bridges = ["DataRegionsFoundation", "DispatchInterop", "DispatchNames"]
    let sources = repository.files(in: "Sources").filter { !bridges.contains($0.module) }
    let types = Set(sources.flatMap(NameRule.publicTypes))
    let test = try repository.file("Tests/ProductTests/ForeignNameTests.swift")
    let named = Set(
      test.code.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.map(String.init)
    )
    #expect(types.count > 50)
    #expect(types.subtracting(named).sorted() == [])
  }

  @Test("A taken name and a public type are found")
  func samples() {
    let manifest = SourceFile(path: "Package.swift", text: "  .target(name: \"CSystem\"),\n")
    let table = SourceFile(path: "names.txt", text: "# Names\napple/swift-system: csystem Other\n")
    let own = NameRule.names(inManifest: manifest)
    #expect(NameRule.collisions(of: own, with: NameRule.names(inTable: table)) == ["CSystem"])
    let source = SourceFile(
      path: "A.swift",
      text: "public final class A: B {}\npublic func struct_() {}\n  public enum Nested {}\n"
    )
    #expect(NameRule.publicTypes(in: source) == ["A"])
  }
}
