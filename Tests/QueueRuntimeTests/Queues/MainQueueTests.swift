import IOChannelsTestSupport
import Testing

/// The main queue, in programs of their own, since tests do not run on the main thread: S78.
@Suite struct MainQueueTests {
  @Test(arguments: ["run", "sync", "target", "drain", "drainOnce", "poll", "current", "isolated"])
  func works(way: String) throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, way]) == "done\n")
  }

  /// A leeway is the timer's own: S93. In a process of its own no other timer wakes the thread.
  @Test func aTimerWaitsForAnotherWithinItsLeeway() throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, "leeway"]) == "done\n")
  }

  /// S93: the leeway is used to save a wake, and there is none to save.
  @Test func aLoneTimerDoesNotUseItsLeeway() throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, "lone"]) == "done\n")
  }

  private static let itself = "whose work it runs, waits for itself."

  @Test(
    arguments: [
      ("syncOnMain", "the queue main, " + itself),
      ("asyncAndWaitOnMain", "the queue main, " + itself),
      ("syncOnChild", "the queue main, " + itself),
      ("syncOnBusyChild", "the queue child, which waits for main, " + itself),
      ("syncAround", "the queue around, " + itself),
      ("runInTask", "The main thread belongs to the main actor"),
      ("actorAfterRun", "The main actor has work for the main thread"),
      ("actorBeforeRun", "The main actor has work for the main thread"),
      ("runOnWorker", "The main queue is drained by the main thread."),
      ("drainOnWorker", "The main queue is drained by the main thread."),
      ("drainInWork", "The main queue is not drained by its own work."),
    ]
  )
  func misuseStops(way: String, sentence: String) throws {
    let outcome = try run(
      [BuiltProgram.mainqueue.path, way],
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    )
    #expect(!outcome.succeeded)
    #expect(outcome.errorText.contains(sentence), "\(outcome)")
  }
}
