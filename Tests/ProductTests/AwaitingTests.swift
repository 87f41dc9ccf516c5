import IOChannelsTestSupport
import Testing

@Suite("Blocking calls in tasks (S170)")
struct AwaitingTests {
  @Test("Top-level code awaits without blocking")
  func topLevelCodeAwaitsWithoutBlocking() throws {
    let output = try runSuccessfully([BuiltProgram.awaiting.path], timeout: .seconds(30))
    #expect(output == "group\npermits\nitem\ncopy of one: 1\ncopy of several: 1\n")
  }

  /// What blocks, each with what the compiler advises.
  private static let blocking = [
    ("group.wait()", "try await group.completion()"),
    ("permits.wait()", "try await semaphore.acquire()"),
    ("item.wait()", "try await item.completion()"),
    ("_ = group.wait(timeout: .now())", "It blocks a thread"),
    ("_ = group.wait(wallTimeout: .now())", "It blocks a thread"),
    ("_ = permits.wait(timeout: .now())", "It blocks a thread"),
    ("_ = permits.wait(wallTimeout: .now())", "It blocks a thread"),
    ("_ = item.wait(timeout: .now())", "It blocks a thread"),
    ("_ = item.wait(wallTimeout: .now())", "It blocks a thread"),
    ("try FileCopier().copyAndWait(from: \"a\", to: \"b\")", "try await copier.copy("),
    ("try FileCopier().copyAndWait(from: [\"a\"], to: \"b\")", "try await copier.copy("),
    ("_ = try ManifestChecker().compareAndWait(\"a\", with: \"b\")", "It blocks a thread"),
    ("WorkQueue.runMain()", "from the main actor"),
  ]

  /// Returns a call with `await`, which follows `try`.
  private static func awaited(_ call: String) -> String {
    call.hasPrefix("try ") ? "try await \(call.dropFirst(4))" : "await \(call)"
  }

  @Test("The compiler refuses calls that block", arguments: [false, true])
  func theCompilerRefusesWhatBlocks(inFunction: Bool) throws {
    let start = """
      import FileCopy
      import IOChannels
      let (group, permits, item) = (WorkGroup(), CountingSemaphore(value: 1), WorkItem {})
      try await group.completion()
      \(inFunction ? "func wait() async throws {" : "do {")

      """
    let calls = Self.blocking.map { call, _ in
      // With `await` and without it.
      "\(call)\n" + (call.hasPrefix("_") ? "" : "\(Self.awaited(call))\n")
    }
    let outcome = try typecheck(start + calls.joined() + "}\n")
    #expect(outcome.status == 1)
    let errors = outcome.errorLines.filter { $0.contains(": error: ") }
    var line = start.split(separator: "\n", omittingEmptySubsequences: false).count
    for (call, advice) in Self.blocking {
      for awaited in call.hasPrefix("_") ? [false] : [false, true] {
        let found = errors.filter { $0.contains("main.swift:\(line):") }
        #expect(found.count == 1, "\(awaited ? Self.awaited(call) : call)")
        #expect(found.first?.contains("unavailable from asynchronous contexts") == true)
        #expect(found.first?.contains(advice) == true, "\(call): \(found)")
        line += 1
      }
    }
    #expect(errors.count == calls.joined().split(separator: "\n").count)
  }
}
