import Testing

/// Each rule of form finds what is wrong in a bad sample and nothing in a good one.
@Suite("Rules of form")
struct FormRuleTests {
  private func file(_ text: String, path: String = "Sources/IOChannels/A.swift") -> SourceFile {
    SourceFile(path: path, text: text)
  }

  @Test("Comments and strings are distinguished from code")
  func scanner() {
    let text = ##"""
      let a = "x \(f("y", g())) z" // try!
      let b = #"\" raw "# + """
        long "quoted" text
        """ /* a /* nested */ unsafe */ + c
      """##
    let parted = file(text)
    #expect(
      parted.code.map { $0.split(separator: " ").joined(separator: " ") } == [
        "let a =", "let b = +", "", "+ c",
      ]
    )
    #expect(parted.prose[0].contains("try!"))
    #expect(parted.prose[2].contains("long \"quoted\" text"))
    #expect(!parted.prose[3].contains("c"))
    #expect(zip(parted.code, parted.lines).allSatisfy { $0.utf8.count == $1.utf8.count })
  }

  @Test("Benchmarks of 16 lines for 100 of the sources are too long, of 15 they are not")
  func benchmarkLength() {
    let sources = [
      file(String(repeating: "\n", count: 60)), file(String(repeating: "\n", count: 40)),
    ]
    func violations(_ count: Int) -> [String] {
      let text = String(repeating: "\n", count: count)
      let benchmark = file(text, path: "Benchmarks/Sources/bench/A.swift")
      return SizeRule.violations(benchmarks: [benchmark], sources: sources)
    }
    #expect(violations(15) == [])
    #expect(violations(16) == ["16 lines in Benchmarks, over 15 % of 100 in Sources"])
  }

  @Test("A line of 101 columns is too wide")
  func columns() {
    let wide = String(repeating: "x", count: 101)
    #expect(SizeRule.violations(in: file("// ok\n" + wide)).count == 1)
    #expect(SizeRule.violations(in: file(String(wide.dropLast()))) == [])
  }

  @Test(
    "The length of a function is counted from its keyword to its last brace",
    arguments: [
      "  public static func f(x: () -> Void = {}) async throws {",
      "  @inline(__always) func g<T>(_ t: T) where T: Sendable {",
      "  init?(a: Int) {",
      "  deinit {",
    ]
  )
  func functionLength(head: String) {
    let body = "    if true { x() }\n"
    let long = "\(head)\n" + String(repeating: body, count: 68) + "  }\n"
    let short = "\(head)\n" + String(repeating: body, count: 67) + "  }\n"
    #expect(SizeRule.violations(in: file(long)).count == 1)
    #expect(SizeRule.violations(in: file(short)) == [])
  }

  @Test("A requirement of a protocol has no length, and a brace in a string none either")
  func noBody() {
    let text = """
      protocol P {
        func f(_ x: Int)
        init()
      }
      func g() { print("}") }
      """
    let functions = SizeRule.functions(in: file(text))
    #expect(functions.map(\.start) == [4])
    #expect(functions.map(\.length) == [1])
  }

  @Test(
    "Leftovers are found",
    arguments: [
      "// TO" + "DO later", "let x = try! f()", "fatalError(\"no\")", "print(x)", "debugPrint(x)",
      "let p = \"/ho" + "me/me\"", "final class RequestManager {", "let y = z as! Int",
    ]
  )
  func leftovers(line: String) {
    #expect(LeftoverRule.violations(in: file(line)).count == 1)
  }

  @Test(
    "Code that only looks like a leftover is none",
    arguments: ["// try! is banned", "pprint(x)", "let method = 1", "struct Implied {}"]
  )
  func innocent(line: String) {
    let found = LeftoverRule.violations(in: file(line))
    #expect(found.count == (line.contains("Implied") ? 1 : 0))
  }

  @Test("Tests may print, but neither switch off nor sleep")
  func testLeftovers() {
    let path = "Tests/ATests/A.swift"
    #expect(LeftoverRule.violations(in: file("print(1)", path: path)) == [])
    let sleeping = "try await Task.sleep(for: .seconds(1))"
    #expect(LeftoverRule.violations(in: file(sleeping, path: path)).count == 1)
    #expect(LeftoverRule.violations(in: file("@Test(.disabled())", path: path)).count == 1)
  }

  @Test(
    "A check that is silent in optimised builds is found",
    arguments: [
      "precondition(a > 0)", "  Swift.precondition(a)", "guard a else { preconditionFailure() }",
      "assert(a)", "default: assertionFailure()",
    ]
  )
  func silentChecks(line: String) {
    #expect(PreconditionRule.uses(in: file(line)) == [0])
    let found = PreconditionRule.violations(in: [file(line)])
    #expect(found.contains { $0.hasPrefix("Sources/IOChannels/A.swift:1: says nothing") })
  }

  @Test(
    "Code that only looks like such a check is none",
    arguments: [
      "WorkQueue.precondition(.onQueue(a))", "func precondition(_ a: Bool) {", "reassert(a)",
      "// precondition(a)", "Self.precondition(a)",
    ]
  )
  func speakingChecks(line: String) {
    #expect(PreconditionRule.uses(in: file(line)) == [])
  }

  @Test("A public declaration needs a comment")
  func comments() {
    let good = """
      /// Does it.
      @inlinable
      public func f() {}
      /// A kind.
      public enum E {
        /// One.
        case one
        func hidden() { open[1] = 2 }
      }
      public extension E {}
      """
    #expect(CommentRule.violations(in: file(good)) == [])
    let members = """
      /// A kind.
      public enum E {
        case one
      }
      /// A promise.
      public protocol P {
        func f()
      }
      """
    #expect(CommentRule.violations(in: file(members)).count == 2)
    let bad = "public let a = 1\n/// \(String(repeating: "long ", count: 40)).\npublic var b = 2"
    #expect(CommentRule.violations(in: file(bad)).count == 2)
    let two = "/// Short. \(String(repeating: "long ", count: 40))\npublic var b = 2"
    #expect(CommentRule.violations(in: file(two)) == [])
    #expect(CommentRule.violations(in: file("public import X\nlet b = 2")) == [])
  }
}
