import IOChannelsTestSupport
import Testing

/// The programs run in processes of their own, because tests do not run on the main thread.
@Suite("Main queue (S78)")
struct MainQueueTests {
  @Test(
    "Works",
    arguments: ["run", "sync", "target", "drain", "drainOnce", "poll", "current", "isolated"]
  )
  func works(way: String) throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, way]) == "done\n")
  }

  /// In a process of its own no other timer wakes the thread.
  @Test("A timer waits for another within its leeway (S93)")
  func aTimerWaitsForAnotherWithinItsLeeway() throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, "leeway"]) == "done\n")
  }

  /// The leeway serves to save a wake, and there is none to save.
  @Test("A lone timer does not use its leeway (S93)")
  func aLoneTimerDoesNotUseItsLeeway() throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, "lone"]) == "done\n")
  }

  private static let itself = "whose work it runs, waits for itself."

  @Test(
    "Misuse of the main queue stops the program",
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
