import Foundation
import QueueRuntime
import Testing

/// Each test has a process of its own, because it blocks every shared worker.
@Suite("Handlers beside a full pool of workers (S38)")
struct FullPoolDeliveryTests {
  /// The shared workers without the one that watches for blocked ones.
  private static let workers = 254

  /// Blocks workers for good, and gives up on the process if it hangs.
  private static func block(workers count: Int = workers, qos: WorkQueue.QoS = .default) {
    alarm(60)
    let begun = WorkGroup()
    let never = CountingSemaphore(value: 0)
    for _ in 0..<count {
      begun.enter()
      WorkQueue(label: "blocked", qos: qos).async {
        begun.leave()
        never.wait()
      }
    }
    begun.wait()
  }

  /// Submits handlers by `submit` and waits until each was called.
  private static func expectCalls(
    _ count: Int = 1,
    _ submit: (@escaping @Sendable () -> Void) -> Void
  ) {
    let called = WorkGroup()
    for _ in 0..<count { called.enter() }
    submit { called.leave() }
    #expect(called.wait(timeout: .now() + .seconds(20)) == .success)
  }

  private static func expectCallOnIdleQueue() {
    let queue = WorkQueue(label: "idle")
    expectCalls { queue.deliver($0) }
  }

  private static func deliverInBursts(_ qos: WorkQueue.QoS = .default) {
    block(qos: qos)
    let own = WorkQueue(label: "own", qos: qos, attributes: .concurrent)
    let targeting = WorkQueue(label: "targeting", attributes: .concurrent, target: own)
    let serial = WorkQueue(label: "serial", target: own)
    for queue in [own, targeting, serial, .global(qos: qos.qosClass)] {
      for round in 0..<300 {
        let count = 1 + round % 4
        expectCalls(count) { for _ in 0..<count { queue.deliver($0) } }
      }
    }
    // Nothing of the queues waits in the full pool.
    targeting.sync(flags: .barrier) {}
    own.sync(flags: .barrier) {}
  }

  private static func deliverToQueueThatWaits() {
    block(workers: workers - 1)
    let queue = WorkQueue(label: "waiting", attributes: .concurrent)
    let begun = WorkGroup()
    let first = CountingSemaphore(value: 0)
    let never = CountingSemaphore(value: 0)
    begun.enter()
    queue.async {
      begun.leave()
      first.wait()
    }
    begun.wait()
    begun.enter()
    // The queue waits in the pool now, and goes on waiting when the last worker takes its item.
    queue.async {
      begun.leave()
      never.wait()
    }
    first.signal()
    begun.wait()
    expectCalls { queue.deliver($0) }
  }

  private static func deliverBeforeHandOvers(_ attributes: WorkQueue.Attributes) {
    let queue = WorkQueue(label: "handed over", attributes: attributes)
    expectCalls { handler in queue.sync { queue.deliver(handler) } }
    expectCalls { handler in queue.sync(flags: .barrier) { queue.deliver(handler) } }
    expectCalls { handler in
      queue.suspend()
      queue.deliver(handler)
      queue.resume()
    }
    expectCalls { handler in
      queue.setTarget(queue: .global())
      queue.deliver(handler)
    }
    let other = WorkQueue(label: "other")
    expectCalls { handler in
      queue.sync {
        queue.setTarget(queue: other)
        queue.deliver(handler)
      }
    }
    let inactive = WorkQueue(label: "inactive", attributes: attributes.union(.initiallyInactive))
    expectCalls { handler in
      inactive.deliver(handler)
      inactive.activate()
    }
  }

  private static func deliverWhileThePoolGrows() {
    alarm(60)
    let never = CountingSemaphore(value: 0)
    for _ in 0..<300 { WorkQueue(label: "blocked").async { never.wait() } }
    expectCallOnIdleQueue()
  }

  private static func deliverBehindBlockingItems() {
    block()
    let never = CountingSemaphore(value: 0)
    let queue = WorkQueue(label: "flooded", attributes: .concurrent)
    for _ in 0..<100 {
      queue.async { never.wait() }
      queue.deliver {}
    }
    // While it was stopped a queue gets items that come first when it goes on.
    for _ in 0..<100 {
      let stopped = WorkQueue(label: "stopped", attributes: .concurrent)
      stopped.suspend()
      stopped.async { never.wait() }
      stopped.deliver {}
      stopped.resume()
    }
    expectCallOnIdleQueue()
  }

  @Test("With every worker blocked handlers of concurrent queues are called (S38)")
  func handlersOfConcurrentQueues() async {
    await #expect(processExitsWith: .success) { FullPoolDeliveryTests.deliverInBursts() }
    await #expect(processExitsWith: .success) {
      FullPoolDeliveryTests.deliverInBursts(.userInitiated)
    }
  }

  @Test("A concurrent queue that waits in the full pool gets its handlers called (S38)")
  func aQueueThatWaitsInTheFullPool() async {
    await #expect(processExitsWith: .success) { FullPoolDeliveryTests.deliverToQueueThatWaits() }
  }

  @Test("With every worker blocked, handlers before a handoff are called (S38)")
  func handlersAfterAHandOver() async {
    await #expect(processExitsWith: .success) {
      FullPoolDeliveryTests.block()
      FullPoolDeliveryTests.deliverBeforeHandOvers([])
      FullPoolDeliveryTests.deliverBeforeHandOvers(.concurrent)
    }
  }

  @Test("A handler is called that comes while the pool grows to its bound (S38)")
  func handlersWhileThePoolGrows() async {
    await #expect(processExitsWith: .success) { FullPoolDeliveryTests.deliverWhileThePoolGrows() }
  }

  @Test("Blocking items of a concurrent queue keep no spare thread (S38)")
  func itemsOfTheProgramKeepNoSpareThread() async {
    await #expect(processExitsWith: .success) {
      FullPoolDeliveryTests.deliverBehindBlockingItems()
    }
  }
}
