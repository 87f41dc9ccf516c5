import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Permits of tasks")
struct AsyncPermitTests {
  private struct Failure: Error {}

  @Test("A permit at the moment of a cancellation or a deadline is not lost (S231)")
  func lastMoment() async throws {
    let semaphore = CountingSemaphore(value: 0)
    let signals = WorkGroup()
    var taken = 0
    var left = 0
    for round in 0..<Tier.count(quick: 3_000, full: 50_000) {
      let isTimed = round % 3 > 0
      let deadline = isTimed ? .now() + .microseconds(round % 100) : Deadline.distantFuture
      let task = Task.immediate { try await semaphore.acquire(until: deadline) }
      WorkQueue.global().async(group: signals) { semaphore.signal() }
      if round % 3 < 2 { task.cancel() }
      if case .success(.success) = await task.result { taken += 1 }
      try await signals.completion()
      while semaphore.wait({ 0 }) == .success { left += 1 }
      #expect(taken + left == round + 1)
      if taken + left != round + 1 { return }
    }
  }

  @Test("Many waits that end in all ways take as many permits as they report (S231)")
  func storm() async throws {
    let semaphore = CountingSemaphore(value: 3)
    let rounds = Tier.count(quick: 200, full: 10_000)
    let taken = await withTaskGroup(of: Int.self) { tasks in
      for number in 0..<8 {
        tasks.addTask {
          var taken = 0
          for round in 0..<rounds {
            let deadline =
              round % 4 == 0 ? .now() + .microseconds(round % 50) : Deadline.distantFuture
            let task = Task { try await semaphore.acquire(until: deadline) }
            // Of the 8 tasks 4 do not cancel, and they release the permits of the others.
            if number % 2 == 0 { task.cancel() }
            guard case .success(.success) = await task.result else { continue }
            taken += 1
            await Task.yield()
            semaphore.signal()
          }
          return taken
        }
      }
      return await tasks.reduce(0, +)
    }
    #expect(taken > 0)
    for _ in 0..<3 { #expect(semaphore.wait { 0 } == .success) }
    #expect(semaphore.wait { 0 } == .timedOut)
    for _ in 0..<3 { semaphore.signal() }
  }

  @Test("Permits go to tasks in their order, past those that were cancelled (S87, S231)")
  func order() async throws {
    let semaphore = CountingSemaphore(value: 0)
    let log = EventLog()
    let tasks = ["first", "second", "third"].map { name in
      Task.immediate {
        try await semaphore.acquire()
        log.note(name)
      }
    }
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    #expect(semaphore.signal() != 0)
    try await tasks[0].value
    #expect(log.events == ["first"])
    #expect(semaphore.signal() != 0)
    try await tasks[2].value
    #expect(semaphore.signal() == 0)
  }

  @Test("A thread that comes after a task gets a permit after it (S87, S231)")
  func threadsAndTasks() async throws {
    let semaphore = CountingSemaphore(value: 0)
    let hasBegun = CountingSemaphore(value: 0)
    let thread = WorkGroup()
    let task = Task.immediate { try await semaphore.acquire() }
    WorkQueue(label: "thread").async(group: thread) {
      hasBegun.signal()
      semaphore.wait()
    }
    try await hasBegun.acquire()
    semaphore.signal()
    // Of the two only the task can go on.
    try await task.value
    semaphore.signal()
    try await thread.completion()
    #expect(semaphore.wait { 0 } == .timedOut)
  }

  @Test("A function has a permit while it runs, and returns it in every way (S231)")
  func scope() async throws {
    let semaphore = CountingSemaphore(value: 1)
    let result = try await semaphore.withPermit {
      await Task.yield()
      return semaphore.wait { 0 }
    }
    #expect(result == .timedOut)
    await #expect(throws: Failure.self) { try await semaphore.withPermit { throw Failure() } }
    let task = Task.immediate {
      try await semaphore.withPermit {
        while !Task.isCancelled { await Task.yield() }
        return semaphore.wait { 0 }
      }
    }
    task.cancel()
    #expect(try await task.value == .timedOut)
    #expect(semaphore.wait { 0 } == .success)
    semaphore.signal()
  }

  @Test("A function does not run if its wait for a permit is cancelled (S231)")
  func cancelledScope() async throws {
    let semaphore = CountingSemaphore(value: 0)
    let log = EventLog()
    let task = Task.immediate { try await semaphore.withPermit { log.note("ran") } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(semaphore.signal() == 0)
    #expect(log.events == [])
  }
}
