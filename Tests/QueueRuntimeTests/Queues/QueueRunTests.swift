import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Work whose result a task awaits (S232)")
struct QueueRunTests {
  private struct Failure: Error {}

  /// An object that notes its release.
  private final class Captured: Sendable {
    let log: EventLog

    init(_ log: EventLog) {
      self.log = log
    }

    deinit { log.note("released") }
  }

  private let queue = WorkQueue(label: "run")

  @Test("The result of a closure on the queue is returned (S232)")
  func result() async throws {
    let queue = queue
    #expect(try await queue.run { WorkQueue.current === queue })
    await #expect(throws: Failure.self) { try await queue.run { throw Failure() } }
  }

  @Test("A closure takes its place in the order of submission (S232)")
  func order() async throws {
    let log = EventLog()
    queue.suspend()
    queue.async { log.note("before") }
    let task = Task.immediate { [queue] in try await queue.run { log.note("run") } }
    queue.async { log.note("after") }
    queue.resume()
    try await task.value
    queue.sync {}
    #expect(log.events == ["before", "run", "after"])
  }

  @Test("A closure can be a barrier (S232)")
  func barrier() async throws {
    let queue = WorkQueue(label: "run", attributes: .concurrent)
    #expect(try await queue.run(flags: .barrier) { queue.isIsolatingCurrentContext() } == true)
    #expect(try await queue.run { queue.isIsolatingCurrentContext() } == false)
  }

  @Test("A closure that has not started is skipped when its task is cancelled (S232)")
  func cancelledBeforeTheStart() async throws {
    let log = EventLog()
    queue.suspend()
    func body() -> @Sendable () -> Void {
      let captured = Captured(log)
      return { captured.log.note("ran") }
    }
    let task = Task.immediate { [queue] in try await queue.run(execute: body()) }
    #expect(log.events == [])
    task.cancel()
    // The queue is suspended still.
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.events == ["released"])
    queue.resume()
    queue.sync {}
    #expect(log.events == ["released"])
  }

  @Test("A cancelled task submits nothing (S232)")
  func cancelledBeforeTheCall() async throws {
    let log = EventLog()
    let task = Task.immediate { [queue] in
      while !Task.isCancelled { await Task.yield() }
      try await queue.run { log.note("ran") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    queue.sync {}
    #expect(log.events == [])
  }

  @Test("A closure that has started runs to its end, and its result is returned (S232)")
  func cancelledAfterTheStart() async throws {
    let hasStarted = CountingSemaphore(value: 0)
    let mayEnd = CountingSemaphore(value: 0)
    let task = Task.immediate { [queue] in
      try await queue.run {
        hasStarted.signal()
        mayEnd.wait()
        return 5
      }
    }
    try await hasStarted.acquire()
    task.cancel()
    mayEnd.signal()
    #expect(try await task.value == 5)
  }

  @Test("A closure runs if and only if its call returns (S232)")
  func races() async {
    let runs = UnguardedCounter()
    var returns = 0
    for round in 0..<Tier.count(quick: 3_000, full: 50_000) {
      let task = Task.immediate { [queue] in
        try await queue.run { runs.increase() }
      }
      if round % 4 > 0 { task.cancel() }
      if case .success = await task.result { returns += 1 }
    }
    queue.sync {}
    #expect(runs.count == returns)
  }

  @Test("Captures are released when the call returns (S232)")
  func captures() async throws {
    let log = EventLog()
    func body() -> @Sendable () -> Void {
      let captured = Captured(log)
      return { captured.log.note("ran") }
    }
    try await queue.run(execute: body())
    #expect(log.events == ["ran", "released"])
  }

  @Test("An actor whose executor is the queue can await its work (S232)")
  func actorOfTheQueue() async throws {
    #expect(try await QueueActor(queue: queue).awaitedNumber() == 7)
  }
}

extension QueueActor {
  fileprivate func awaitedNumber() async throws -> Int {
    try await queue.run { 7 }
  }
}
