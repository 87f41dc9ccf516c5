import QueueRuntime
import Synchronization
import Testing

@Suite("Readers and barriers (S71)")
struct ConcurrentQueueTests {
  private let queue = WorkQueue(label: "concurrent", attributes: .concurrent)

  /// Items that all wait for each other end only if all run at once.
  @Test("Items run concurrently though all block", arguments: [2, 8, 20])
  func itemsRunSideBySideThoughAllBlock(count: Int) {
    itemsThatMeet(count, on: queue).wait()
  }

  @Test("Barriers exclude everything and keep their place")
  func barriersExcludeEverythingAndKeepTheirPlace() {
    let inside = Atomic<Int>(0)
    let finished = Atomic<Int>(0)
    let faults = Atomic<Int>(0)
    let group = WorkGroup()
    for number in 0..<20_000 {
      if number % 7 == 0 {
        queue.async(group: group, flags: .barrier) {
          if inside.load(ordering: .relaxed) != 0 { faults.add(1, ordering: .relaxed) }
          if finished.load(ordering: .relaxed) != number { faults.add(1, ordering: .relaxed) }
          finished.add(1, ordering: .relaxed)
        }
      } else {
        queue.async(group: group) {
          inside.add(1, ordering: .relaxed)
          if finished.load(ordering: .relaxed) < number / 7 * 7 + 1 {
            faults.add(1, ordering: .relaxed)
          }
          finished.add(1, ordering: .relaxed)
          inside.subtract(1, ordering: .relaxed)
        }
      }
    }
    group.wait()
    #expect(finished.load(ordering: .relaxed) == 20_000)
    #expect(faults.load(ordering: .relaxed) == 0)
  }

  @Test("A sync beside a running item does not wait for it")
  func syncBesideARunningItemDoesNotWaitForIt() {
    let started = WorkGroup()
    let end = WorkGroup()
    started.enter()
    end.enter()
    queue.async {
      started.leave()
      end.wait()
    }
    started.wait()
    #expect(queue.sync { 7 } == 7)
    #expect(queue.sync { queue.sync { 8 } } == 8)
    end.leave()
    #expect(queue.sync(flags: .barrier) { 9 } == 9)
  }

  @Test("A sync waits for an earlier barrier")
  func syncWaitsForABarrierSubmittedBefore() {
    let end = WorkGroup()
    let value = Atomic<Int>(0)
    end.enter()
    queue.async { end.wait() }
    queue.async(flags: .barrier) { value.store(1, ordering: .relaxed) }
    WorkQueue.global().async { end.leave() }
    #expect(queue.sync { value.load(ordering: .relaxed) } == 1)
  }

  @Test("A barrier sync waits for earlier items")
  func barrierSyncWaitsForWhatWasSubmittedBefore() {
    let count = Atomic<Int>(0)
    for round in 1...2000 {
      for _ in 0..<5 { queue.async { count.add(1, ordering: .relaxed) } }
      #expect(queue.sync(flags: .barrier) { count.load(ordering: .relaxed) } == 5 * round)
    }
  }

  @Test("The global queue ignores barriers")
  func theGlobalQueueIgnoresBarriers() {
    let end = WorkGroup()
    end.enter()
    let group = WorkGroup()
    WorkQueue.global().async(group: group) { end.wait() }
    #expect(WorkQueue.global().sync(flags: .barrier) { 1 } == 1)
    // While it runs others begin.
    let other = WorkGroup()
    WorkQueue.global(qos: .utility).asyncAndWait(flags: .barrier) {
      WorkQueue.global(qos: .utility).async(group: other) {}
      other.wait()
      WorkQueue.global(qos: .utility).asyncAndWait(flags: .barrier) {}
    }
    WorkQueue.global().async(flags: .barrier) { end.leave() }
    group.wait()
  }
}
