import Testing

/// Each rule of prose finds what is wrong in a bad sample and nothing in a good one.
@Suite("Rules of prose")
struct ProseRuleTests {
  private func violations(_ text: String, path: String = "A.swift") -> [String] {
    ProseRule.violations(in: SourceFile(path: path, text: text + "\n"))
  }

  @Test("A banned word is found", arguments: BannedWord.all.map(\.word))
  func bannedWord(word: String) {
    let instead = BannedWord.all.first { $0.word == word }?.instead ?? ""
    let violation = ":1: '\(word)' (write: \(instead))"
    #expect(violations("// The caller \(word) x.").contains("A.swift" + violation))
    #expect(violations("The \(word) x.", path: "A.md").contains("A.md" + violation))
    #expect(violations("| a | \(word) |", path: "A.md").contains("A.md" + violation))
    #expect(violations("- Some\n  \(word)", path: "A.md").contains("A.md" + violation))
    let option = ".x: \"-x, --extra  some \(word)\","
    let table = violations(option, path: "Sources/fastcp/OptionTable.swift")
    #expect(table.contains("Sources/fastcp/OptionTable.swift" + violation))
    #expect(violations("let \(word.filter { $0 != " " }) = 1") == [])
    #expect(violations("Some `\(word)` here.", path: "A.md") == [])
    #expect(violations("```\n\(word)\n```", path: "A.md") == [])
  }

  @Test("A banned subject is found", arguments: ProseRule.bannedSubjects)
  func bannedSubject(subject: String) {
    let found = violations("// A buffer is full. \(subject) x waits.")
    #expect(found.contains("A.swift:1: '\(subject)' begins a sentence"))
    #expect(violations("// \(subject) x waits?").filter { $0.contains("begins") } == [])
    #expect(violations("// The kernel reports \(subject.lowercased()).").count <= 1)
  }

  @Test("A banned beginning is found", arguments: ProseRule.bannedBeginnings.sorted())
  func bannedBeginning(word: String) {
    #expect(violations("/// \(word) x runs.\nstruct A {}").contains { $0.contains("'\(word)'") })
    let later = violations("/// A name.\n///\n/// The rest.\n/// \(word)\nstruct A {}")
    #expect(later == [])
  }

  @Test("A verb describes no type or property", arguments: ProseRule.verbs.sorted())
  func verb(word: String) {
    let violation = "A.swift:1: a type or property that a verb describes: '\(word)'"
    for code in ["struct A {}", "public final class A {", "let a = 1", "var a: Int {"] {
      #expect(violations("/// \(word) a buffer.\n\(code)") == [violation])
    }
    for code in ["func f() {}", "case a(Int)"] {
      #expect(violations("/// \(word) a buffer.\n\(code)") == [])
    }
  }

  @Test(
    "A function is described by a verb",
    arguments: [
      "func f() {", "public static func f() -> Int {", "@inlinable package mutating func f()",
      "@inline(__always)\n@discardableResult\nfunc f(\n  a: Int\n) -> Int {",
    ]
  )
  func function(code: String) {
    #expect(violations("/// Reads a byte.\n\(code)") == [])
    let found = violations("/// The byte.\n\(code)")
    #expect(found == ["A.swift:1: a function that no verb in the third person describes: 'The'"])
    #expect(violations("/// Read a byte.\n\(code)").count == 1)
    #expect(violations("/// This is a byte.\n\(code)").count == 1)
  }

  @Test("An initializer creates")
  func initializer() {
    #expect(violations("/// Creates a queue.\npublic convenience init(") == [])
    #expect(violations("/// Makes a queue.\ninit() {").count == 1)
    #expect(violations("/// A queue.\ninit() {").count == 1)
  }

  @Test(
    "A Boolean is described by whether it is so",
    arguments: ["var isIdle: Bool {", "let isIdle = true", "private(set) var isIdle = false"]
  )
  func boolean(code: String) {
    #expect(violations("/// Whether no work is left.\n\(code)") == [])
    let long = "/// A Boolean value that indicates whether no work is left."
    #expect(violations("\(long)\n\(code)") == [])
    #expect(violations("/// The idle state.\n\(code)").count == 1)
    #expect(violations("/// Whether no work is left.\nfunc isIdle() -> Bool {") == [])
    #expect(violations("/// Whether no work is left.\nfunc isIdle() -> Int {").count == 1)
    #expect(violations("/// The answer, if any.\nvar answer: Bool? {") == [])
  }

  @Test("A first sentence has at most 30 words")
  func length() {
    let words = Array(repeating: "word", count: 28).joined(separator: " ")
    #expect(violations("/// The \(words) end.\nlet a = 1") == [])
    let found = violations("/// The \(words)\n/// word end.\nlet a = 1")
    #expect(found == ["A.swift:1: a first sentence of 31 words"])
    #expect(violations("/// The end. The \(words) word end.\nlet a = 1") == [])
  }

  @Test("A line of help is a phrase in lower case")
  func help() {
    func found(_ help: String) -> Int {
      violations(".x: \"-x  \(help)\",", path: "Sources/fastcp/OptionTable.swift").count
    }
    #expect(found("copy directories recursively") == 0)
    #expect(found("Copy directories recursively") == 1)
    #expect(found("copy directories recursively.") == 1)
    #expect(found("copy directories\"\n  + \"recursively.") == 1)
  }

  @Test(
    "A display name is a sentence without a full stop that ends with its rules",
    arguments: [
      ("A queue runs", 0), ("A queue runs (S1, S3 to S5, I2)", 0), ("ext4 has room", 0),
      ("`sync` waits", 0), ("A set (of files) is full", 0), ("A queue runs.", 1),
      ("a queue runs", 1),
      ("S1: a queue runs", 1), ("A queue (S1) runs", 1), ("A queue runs (see S1)", 1),
      ("What runs", 1), ("The caller is told", 1),
    ]
  )
  func testName(name: String, count: Int) {
    for code in ["@Test(\"\(name)\")", "  @Suite(\n    \"\(name)\",\n    .serialized\n  )"] {
      let found = violations(code + "\nfunc f() {}", path: "Tests/A/ATests.swift")
      #expect(found.count == count, "\(name): \(found)")
    }
  }

  @Test("A test without a display name, or with rules in its comment, is found")
  func unnamedTest() {
    func found(_ text: String) -> [String] {
      TestNameRule.violations(in: SourceFile(path: "Tests/A.swift", text: text + "\n"))
    }
    #expect(found("/// A reason.\n@Test(\"A name (S1)\")\nfunc f() {}") == [])
    #expect(found("@Test func f() {}").count == 1)
    #expect(found("@Suite\nstruct A {}").count == 1)
    #expect(found("@Test(arguments: [1])\nfunc f(a: Int) {}").count == 1)
    #expect(found("@Test(\n  arguments: [1]\n)\nfunc f(a: Int) {}").count == 1)
    #expect(found("/// S1: a reason.\n@Test(\"A name\")\nfunc f() {}").count == 1)
    #expect(found("// @Test\nlet a = \"@Suite\"\n@testable import A") == [])
  }

  @Test("A text in a string is no comment")
  func strings() {
    #expect(violations("let a = \"// nobody\"\nlet b = 1 /* nobody */") == [])
  }

  @Test("An exception allows one violation of one file")
  func exception() {
    let one = ProseException(path: "A.swift", violation: "a rule", reason: "a good reason")
    #expect(one.allows("A.swift:12: a rule"))
    #expect(!one.allows("B.swift:12: a rule"))
    #expect(!one.allows("A.swift:12: another rule"))
  }
}
