import IOChannelsTestSupport
import Testing

@Suite("Captures of handlers (S221)")
struct CaptureTests {
  /// Calls whose closures change a variable that they capture.
  private static let calls = [
    "queue.async { count += 1 }",
    "queue.async(group: group, qos: .utility, flags: .barrier) { count += 1 }",
    "queue.asyncAfter(deadline: .now() + 1) { count += 1 }",
    "queue.asyncAfter(wallDeadline: .now() + 1) { count += 1 }",
    "_ = WorkItem { count += 1 }",
    "item.notify(queue: queue) { count += 1 }",
    "group.notify(queue: queue) { count += 1 }",
    "source.setEventHandler { count += 1 }",
    "source.setCancelHandler { count += 1 }",
    "source.setRegistrationHandler { count += 1 }",
  ]

  /// The program with the calls, whose first call is on line 4.
  private static let program =
    """
    import EventSources
    func submit(_ queue: WorkQueue, _ group: WorkGroup, _ item: WorkItem, _ source: EventSource) {
    var count = 0
    \(calls.joined(separator: "\n"))
    print(count)
    }

    """

  /// Checks the types of the program in a language mode and returns the lines of the compiler.
  private func check(languageMode: String) throws -> [String] {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Array(Self.program.utf8), to: "captures.swift")
    let built = BuiltProgram.directory
    let outcome = try run(
      [
        "swiftc", "-typecheck", "-swift-version", languageMode, "-I", "\(built)/Modules",
        "-I", "\(built)/CIOChannelsSystem.build", path,
      ],
      timeout: .seconds(120)
    )
    #expect(outcome.status == 0)
    return outcome.errorLines
  }

  @Test("Swift 5 mode accepts captures as Dispatch does")
  func olderLanguageMode() throws {
    let found = try check(languageMode: "5")
    #expect(!found.contains { $0.contains(": warning: ") || $0.contains(": error: ") }, "\(found)")
  }

  @Test("Swift 6 mode warns of captures that are data races")
  func currentLanguageMode() throws {
    let warnings = try check(languageMode: "6").filter { $0.contains(": warning: ") }
    for (index, call) in Self.calls.enumerated() {
      let found = warnings.filter { $0.contains("captures.swift:\(index + 4):") }
      #expect(found.count == 1, "\(call)")
      #expect(found.first?.contains("captured var 'count'") == true, "\(call): \(found)")
    }
    #expect(warnings.count == Self.calls.count)
  }
}
