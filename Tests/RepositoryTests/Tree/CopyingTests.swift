import Testing

/// The rules of copying name tests that are there.
@Suite("Rules of copying")
struct CopyingTests {
  private let repository = Repository.current

  /// The tests that a document names, as `File/function`.
  private func names(in document: SourceFile) -> [String] {
    document.lines.flatMap { line in
      LayerRule.quoted(in: line).filter { word in
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].contains("Tests")
      }
    }
  }

  private func missing(_ names: [String]) -> [String] {
    let files = repository.files(in: "Tests")
    return names.filter { !NamedTestRule.isThere($0, in: files) }
  }

  @Test("Tests that are named behind a rule are there")
  func tests() throws {
    let names = names(in: try repository.file("Documentation/COPYING.md"))
    #expect(names.count > 20)
    #expect(missing(names) == [])
    #expect(missing(["SharingTests/nothing"]) == ["SharingTests/nothing"])
  }
}
