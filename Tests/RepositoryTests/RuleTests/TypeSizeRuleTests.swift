import Testing

/// The rules about large types and long parameter lists find what breaks them.
@Suite("Rules of types")
struct TypeSizeRuleTests {
  private func file(_ text: String, _ path: String = "Sources/M/T.swift") -> SourceFile {
    SourceFile(path: path, text: text)
  }

  @Test("A type with five extension files is found")
  func extensions() {
    let files = (1...5).map { file("extension T {\n}\n", "Sources/M/T+\($0).swift") }
    let own = file("struct T {\n}\nextension T: P {\n}\n")
    #expect(TypeSizeRule.violations(in: [own] + files.dropLast()) == [])
    #expect(TypeSizeRule.violations(in: [own] + files).count == 1)
    let exempt = files.map {
      file("extension WorkQueue {\n}\n", $0.path)
    }
    #expect(TypeSizeRule.violations(in: exempt) == [])
  }

  @Test("A type with 41 functions is found, those of nested types count apart")
  func functions() {
    let function = "  func f() {\n  }\n"
    func type(_ count: Int) -> String {
      "final class T {\n  struct N {\n\(function)  }\n"
        + String(repeating: function, count: count) + "}\n"
    }
    #expect(TypeSizeRule.violations(in: [file(type(40))]) == [])
    #expect(TypeSizeRule.violations(in: [file(type(41))]) == ["M.T: 41 functions"])
  }

  @Test("A function with five parameters of own types is found")
  func parameters() {
    let types = "struct A {\n}\n"
    func function(_ count: Int) -> String {
      let own = (0..<count).map { "_ p\($0): inout A" }.joined(separator: ",\n  ")
      return types + "func f(\n  \(own),\n  other: [Int],\n  body: (A, A) -> Void\n) {\n}\n"
    }
    #expect(TypeSizeRule.longParameterLists(in: [file(function(4))]) == [])
    #expect(TypeSizeRule.longParameterLists(in: [file(function(5))]).count == 1)
  }
}
