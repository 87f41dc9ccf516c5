import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// A handoff that is lost leaves a test waiting until its time limit.
@Suite("Very many handoffs between queues", .serialized, .timeLimit(.minutes(20)))
struct HandOffTests {
  private static let count = Tier.count(quick: 100_000, full: 10_000_000)

  /// Starts threads, waits for them, and for what they submitted in the group.
  private func onThreads(
    _ count: Int,
    _ body: @escaping @Sendable (Int, WorkGroup) -> Void
  ) throws {
    let all = WorkGroup()
    for number in 0..<count {
      all.enter()
      try PlatformThread.start(name: "hand-off") {
        body(number, all)
        all.leave()
      }
    }
    all.wait()
  }

  @Test("Queues pass work back and forth")
  func pingPongAmongQueues() {
    let target = WorkQueue(label: "target")
    let queues = [
      WorkQueue(label: "serial"),
      WorkQueue(label: "concurrent", attributes: .concurrent),
      WorkQueue(label: "child", target: target),
      WorkQueue(label: "concurrent child", attributes: .concurrent, target: target),
    ]
    let left = Atomic<Int>(Self.count)
    let all = WorkGroup()
    @Sendable func hop(_ place: Int) {
      guard left.subtract(1, ordering: .relaxed).newValue > 0 else { return }
      let flags: WorkItem.Flags = place % 3 == 0 ? .barrier : []
      queues[place % 4].async(group: all, flags: flags) { hop(place + 1) }
    }
    for start in 0..<3 { hop(start) }
    all.wait()
    #expect(left.load(ordering: .relaxed) <= 0)
  }

  @Test("Mixes of sync and async lose no item", arguments: [WorkQueue.Attributes(), .concurrent])
  func mixesOfSyncAndAsync(attributes: WorkQueue.Attributes) throws {
    let queue = WorkQueue(label: "queue", attributes: attributes)
    let counter = UnguardedCounter()
    let seed = SeededGenerator().seed
    // A thread in `sync` costs two switches of threads, the others of this suite seldom one.
    let rounds = Self.count / 20
    try onThreads(4) { number, all in
      var generator = SeededGenerator(seed: seed &+ UInt64(number))
      for _ in 0..<rounds {
        switch generator.number(in: 0..<4) {
        case 0: queue.async(group: all, flags: .barrier) { counter.increase() }
        case 1: queue.sync(flags: .barrier) { counter.increase() }
        case 2: queue.asyncAndWait(flags: .barrier) { counter.increase() }
        default:
          queue.sync {}
          queue.sync(flags: .barrier) { counter.increase() }
        }
      }
    }
    #expect(queue.sync(flags: .barrier) { counter.count } == 4 * rounds)
  }

  @Test("Storms of suspensions lose no item", arguments: [WorkQueue.Attributes(), .concurrent])
  func stormsOfSuspensions(attributes: WorkQueue.Attributes) throws {
    let target = WorkQueue(label: "target")
    let queue = WorkQueue(label: "queue", attributes: attributes, target: target)
    let counter = UnguardedCounter()
    let rounds = Self.count / 16
    try onThreads(4) { number, all in
      for round in 0..<rounds {
        switch number {
        case 0:
          queue.suspend()
          queue.resume()
        case 1:
          target.suspend()
          if round % 3 == 0 { queue.suspend() }
          target.resume()
          if round % 3 == 0 { queue.resume() }
        case 2: queue.async(group: all) { counter.increase() }
        default: queue.sync(flags: round % 2 == 0 ? .barrier : []) { counter.increase() }
        }
      }
    }
    #expect(target.sync { counter.count } == 2 * rounds)
  }

  @Test("Storms of barriers lose no item")
  func stormsOfBarriers() throws {
    let queue = WorkQueue(label: "queue", attributes: .concurrent)
    let readers = Atomic<Int>(0)
    let faults = Atomic<Int>(0)
    let counter = UnguardedCounter()
    let rounds = Self.count / 8
    @Sendable func write() {
      if readers.load(ordering: .relaxed) != 0 { faults.add(1, ordering: .relaxed) }
      counter.increase()
    }
    @Sendable func read() {
      readers.add(1, ordering: .relaxed)
      readers.subtract(1, ordering: .relaxed)
    }
    try onThreads(4) { number, all in
      for round in 0..<rounds {
        switch (number + round) % 5 {
        case 0: queue.async(group: all, flags: .barrier) { write() }
        case 1: queue.sync(flags: .barrier) { write() }
        case 2: queue.sync { read() }
        default: queue.async(group: all) { read() }
        }
      }
    }
    #expect(faults.load(ordering: .relaxed) == 0)
    let writes = (0..<4).reduce(0) { sum, number in
      sum + (0..<rounds).count { (number + $0) % 5 < 2 }
    }
    #expect(queue.sync(flags: .barrier) { counter.count } == writes)
  }
}
