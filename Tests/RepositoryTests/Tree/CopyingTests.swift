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
    let names = names(in: try repository.file("Documentation/Reference/COPYING.md"))
    #expect(names.count > 20)
    #expect(missing(names) == [])
    #expect(missing(["SharingTests/nothing"]) == ["SharingTests/nothing"])
  }

  @Test("Tests that the ledger of weaknesses names are there")
  func ledger() throws {
    let document = try repository.file("Documentation/SECURITY-LEDGER.md")
    let names = names(in: document)
    #expect(names.count > 20)
    #expect(missing(names) == [])
  }

  /// The numbers of rules that name no test at all, or one that is not there.
  private func untested(in document: SourceFile) -> [String] {
    let files = repository.files(in: "Tests")
    return document.lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmed }
      guard cells.count == 2, cells[0].first == "T", ReferenceRule.isNumber(cells[0]) else {
        return nil
      }
      let tests = cells[1].ranges(of: " Tests: ").last.map { cells[1][$0.upperBound...] } ?? ""
      let names = LayerRule.quoted(in: String(tests))
      let areThere = names.allSatisfy { name in
        name.contains("/")
          ? missing([name]) == []
          : files.contains { $0.name == name && $0.code.contains { $0.contains("@Test") } }
      }
      return !names.isEmpty && areThere ? nil : cells[0]
    }
  }

  @Test("Every rule names a test, and all that it names are there")
  func everyRule() throws {
    let untested = self.untested(in: try repository.file("Documentation/Reference/COPYING.md"))
    #expect(untested == [])
    let text = """
      | T1 | Operands end somewhere. |
      | T2 | `CopyingTests` hold it. Tests: `CopyingTests/tests`, `CopyingTests`. |
      | T3 | Same. Tests: `CopyingTests/nothing`. |
      | T4 | Same. Tests: `NothingTests`. |
      """
    #expect(self.untested(in: SourceFile(path: "x.md", text: text)) == ["T1", "T3", "T4"])
  }

  /// The rules of the traps in files. Each stands on the line behind the beginning of its trap.
  private func traps(in files: [SourceFile]) -> [String] {
    files.flatMap { file in
      zip(file.code, file.lines.dropFirst()).compactMap { line, next in
        guard line.trimmed.hasSuffix(" = Trap(") else { return nil }
        let rule = next.trimmed.dropFirst().prefix { $0 != "\"" }
        return ReferenceRule.isNumber(rule) ? String(rule) : nil
      }
    }
  }

  @Test("Every rule of copying has one trap")
  func everyTrap() throws {
    let document = try repository.file("Documentation/Reference/COPYING.md")
    let rules = ReferenceRule.defined(in: document).filter { $0.first == "T" }
    let files = repository.files(in: "Tests").filter {
      $0.path.hasPrefix("Tests/FastcpTests/Traps/Trap+")
    }
    let found = traps(in: files)
    #expect(found.count == rules.count)
    #expect(Set(found) == Set(rules))
    let text = "let x = Trap(\n  \"T7\",\n  \"x\"\n)\nlet y = Trap(\n  \"T9\",\n)\n"
    #expect(traps(in: [SourceFile(path: "x.swift", text: text)]) == ["T7", "T9"])
  }
}
