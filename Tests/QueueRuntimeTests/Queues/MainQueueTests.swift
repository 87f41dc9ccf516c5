import IOChannelsTestSupport
import QueueRuntime
import Testing

/// The programs run in processes of their own, because tests do not run on the main thread.
@Suite("Main queue (S78)")
struct MainQueueTests {
  @Test(
    "Works, also without libdispatch",
    arguments: ["run", "sync", "target", "drain", "drainOnce", "poll", "current", "isolated"],
    [[], ["own"]]
  )
  func works(way: String, environment: [String]) throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, way] + environment) == "done\n")
  }

  @Test(
    "The main actor runs in `runMain` too (S223)",
    arguments: ["actorAfterRun", "actorBeforeRun", "actorAlternates"]
  )
  func runMainRunsTheMainActor(way: String) throws {
    #expect(try runSuccessfully([BuiltProgram.mainqueue.path, way]) == "done\n")
  }

  @Test(
    "The run loop of Foundation, runMain and dispatchMain run both main queues (S222, S223)",
    arguments: ["runLoop", "runMain", "dispatchMain"]
  )
  func otherLoops(way: String) throws {
    #expect(try runSuccessfully([BuiltProgram.mainrunloop.path, way]) == "done\n")
  }

  @Test(
    "An async main function and the main queue run as one queue (S222)",
    arguments: ["async", "sync", "drain"]
  )
  func asyncMain(way: String) throws {
    #expect(try runSuccessfully([BuiltProgram.mainasync.path, way]) == "done\n")
  }

  @Test("XCTest runs the main queue (S222)")
  func xctest() throws {
    let output = try runSuccessfully([BuiltProgram.mainxctest.path])
    #expect(output.contains("Executed 2 tests, with 0 failures"))
  }

  @Test("Swift Testing runs the main queue (S222)")
  func swiftTesting() async {
    let isOnQueue = await withCheckedContinuation { answer in
      WorkQueue.main.async {
        answer.resume(returning: WorkQueue.main.isIsolatingCurrentContext())
      }
    }
    #expect(isOnQueue == true)
  }

  @Test("A test of the main actor runs as work of the main queue (S222)")
  @MainActor func swiftTestingOnTheMainActor() async {
    await Task.yield()
    #expect(WorkQueue.main.isIsolatingCurrentContext() == true)
    await withCheckedContinuation { answer in WorkQueue.main.async { answer.resume() } }
    #expect(WorkQueue.current === WorkQueue.main)
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
      ("syncFromActor", "the queue main, " + itself),
      ("runInTask", "The main thread belongs to the main actor"),
      ("runOnWorker", "The main queue is drained by the main thread."),
      ("drainOnWorker", "The main queue is drained by the main thread."),
      ("drainInWork", "The main queue is not drained by its own work."),
    ]
  )
  func misuseStops(way: String, sentence: String) throws {
    try expectStop([BuiltProgram.mainqueue.path, way], sentence)
  }

  @Test("Misuse beside Dispatch's main queue stops the program")
  func misuseBesideDispatchStops() throws {
    let work = "Work of Dispatch's main queue cannot run the main queue for ever."
    try expectStop([BuiltProgram.mainrunloop.path, "runMainInWork"], work)
    try expectStop([BuiltProgram.mainasync.path, "syncOnMain"], "the queue main, " + Self.itself)
    let elsewhere = "The main queue is drained by the main thread."
    try expectStop([BuiltProgram.mainasync.path, "runMain"], elsewhere)
  }

  private func expectStop(_ command: [String], _ sentence: String) throws {
    let outcome = try run(command, environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(!outcome.succeeded)
    #expect(outcome.errorText.contains(sentence), "\(outcome)")
  }
}
