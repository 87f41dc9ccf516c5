import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

/// Something that tasks wait for.
struct Awaited: Sendable {
  typealias Wait = @Sendable () async throws(CancellationError) -> Void
  typealias TimedWait = @Sendable (Deadline) async throws(CancellationError) -> WaitResult

  /// The kinds of things, none of which has happened yet.
  enum Kind: CaseIterable, Sendable {
    case group, permit, item
  }

  let wait: Wait
  let timedWait: TimedWait
  /// Ends one wait.
  let end: @Sendable () -> Void

  init(_ kind: Kind) {
    switch kind {
    case .group:
      let group = WorkGroup()
      group.enter()
      wait = { () async throws(CancellationError) in try await group.completion() }
      timedWait = { deadline async throws(CancellationError) in
        try await group.completion(until: deadline)
      }
      end = { group.leave() }
    case .permit:
      let semaphore = CountingSemaphore(value: 0)
      wait = { () async throws(CancellationError) in try await semaphore.acquire() }
      timedWait = { deadline async throws(CancellationError) in
        try await semaphore.acquire(until: deadline)
      }
      end = { semaphore.signal() }
    case .item:
      let item = WorkItem {}
      wait = { () async throws(CancellationError) in try await item.completion() }
      timedWait = { deadline async throws(CancellationError) in
        try await item.completion(until: deadline)
      }
      end = { item.perform() }
    }
  }
}

@Suite("Waits of tasks for groups, permits and items")
struct AsyncWaitTests {
  @Test(
    "A wait ends with its event (S230)",
    arguments: Awaited.Kind.allCases,
    [Duration.seconds(600), nil]
  )
  func event(kind: Awaited.Kind, time: Duration?) async throws {
    let awaited = Awaited(kind)
    let deadline = time.map { .now(.bootTime) + $0 } ?? Deadline.distantFuture
    // An immediate task runs to its suspension before this line ends.
    let task = Task.immediate { try await awaited.timedWait(deadline) }
    awaited.end()
    #expect(try await task.value == .success)
  }

  @Test("An event that has occurred ends a wait at once (S230)", arguments: Awaited.Kind.allCases)
  func earlierEvent(kind: Awaited.Kind) async throws {
    let awaited = Awaited(kind)
    awaited.end()
    #expect(try await awaited.timedWait(.now() - .seconds(1)) == .success)
    let other = Awaited(kind)
    other.end()
    try await other.wait()
  }

  @Test("A wait ends with its deadline and not before (S230)", arguments: Awaited.Kind.allCases)
  func deadline(kind: Awaited.Kind) async throws {
    let awaited = Awaited(kind)
    for clock in [Deadline.Clock.uptime, .bootTime] {
      let deadline = Deadline.now(clock) + .milliseconds(2)
      #expect(try await awaited.timedWait(deadline) == .timedOut)
      #expect(Deadline.now(clock) >= deadline)
    }
    // A wait that timed out changes nothing.
    awaited.end()
    try await awaited.wait()
  }

  @Test("A wait with a passed deadline only checks (S230)", arguments: Awaited.Kind.allCases)
  func passedDeadline(kind: Awaited.Kind) async throws {
    let awaited = Awaited(kind)
    #expect(try await awaited.timedWait(.now()) == .timedOut)
    #expect(try await awaited.timedWait(.now(.bootTime) - .seconds(1)) == .timedOut)
    #expect(try await awaited.timedWait(Deadline(uptimeNanoseconds: 0)) == .timedOut)
    awaited.end()
    #expect(try await awaited.timedWait(.now()) == .success)
  }

  @Test(
    "A cancelled wait throws and changes nothing (S230)",
    arguments: Awaited.Kind.allCases,
    [Duration.seconds(600), nil]
  )
  func cancellation(kind: Awaited.Kind, time: Duration?) async throws {
    let awaited = Awaited(kind)
    let deadline = time.map { .now() + $0 } ?? Deadline.distantFuture
    let waiting = Task.immediate { try await awaited.timedWait(deadline) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await awaited.timedWait(.now()) == .timedOut)
    awaited.end()
    try await awaited.wait()
  }

  @Test("A wait of a cancelled task throws at once (S230)", arguments: Awaited.Kind.allCases)
  func cancelledBefore(kind: Awaited.Kind) async throws {
    let awaited = Awaited(kind)
    awaited.end()
    let task = Task.immediate {
      while !Task.isCancelled { await Task.yield() }
      try await awaited.wait()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // So no permit was taken, and no wait for the item began.
    try await awaited.wait()
  }

  @Test("A cancellation after the event has no effect (S230)", arguments: Awaited.Kind.allCases)
  func cancelledAfter(kind: Awaited.Kind) async throws {
    let awaited = Awaited(kind)
    let task = Task.immediate { try await awaited.wait() }
    awaited.end()
    task.cancel()
    try await task.value
  }

  @Test("A wait holds no thread (S230)", arguments: Awaited.Kind.allCases)
  func threads(kind: Awaited.Kind) async throws {
    let all = (0..<50).map { _ in Awaited(kind) }
    // The only thread starts all waits before it ends them.
    let pool = WorkerPool(name: "waits", width: 1, maximumThreadCount: 1)
    try await withTaskExecutorPreference(pool) {
      try await withThrowingTaskGroup { tasks in
        for awaited in all { tasks.addTask { try await awaited.wait() } }
        tasks.addTask { for awaited in all { awaited.end() } }
        try await tasks.waitForAll()
      }
    }
  }
}
