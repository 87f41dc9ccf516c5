import Glibc
import IOChannelsSystem
import Synchronization
import Testing

@testable import QueueRuntime

@Suite("Lifetime of queues and their objects (S82)")
struct LifetimeTests {
  /// Lets a queue be used and gives the reference that must be nil afterwards.
  private func remains(
    _ attributes: WorkQueue.Attributes,
    _ use: (WorkQueue, WorkGroup) -> Void
  ) -> Bool {
    weak var watched: WorkQueue?
    let all = WorkGroup()
    let target = WorkQueue(label: "target")
    do {
      let queue = WorkQueue(label: "queue", attributes: attributes, target: target)
      watched = queue
      use(queue, all)
    }
    all.wait()
    // The drain lets go of the queue before the target takes the next closure.
    target.sync {}
    return watched != nil
  }

  @Test("Queues are freed after use", arguments: [WorkQueue.Attributes(), .concurrent])
  func usedQueuesGo(attributes: WorkQueue.Attributes) {
    let uses: [(WorkQueue, WorkGroup) -> Void] = [
      { _, _ in },
      { queue, _ in queue.sync {} },
      { queue, _ in queue.sync(flags: .barrier) {} },
      { queue, _ in queue.asyncAndWait {} },
      { queue, all in for _ in 0..<200 { queue.async(group: all) {} } },
      { queue, all in
        queue.suspend()
        queue.async(group: all, flags: .barrier) {}
        queue.resume()
      },
    ]
    for (number, use) in uses.enumerated() {
      #expect(!remains(attributes, use), "use \(number)")
    }
    #expect(!remains(attributes.union(.initiallyInactive)) { queue, _ in queue.activate() })
  }

  @Test(
    "Captured objects are released before the group is left",
    arguments: [WorkQueue.Attributes(), .concurrent],
    [WorkItem.Flags(), .barrier]
  )
  func whatAClosureHoldsGoesBeforeItsGroupIsLeft(
    attributes: WorkQueue.Attributes,
    flags: WorkItem.Flags
  ) {
    final class Token: Sendable {}
    let queue = WorkQueue(label: "queue", attributes: attributes)
    var remaining = 0
    for _ in 0..<1000 {
      let all = WorkGroup()
      weak var watched: Token?
      do {
        let token = Token()
        watched = token
        queue.async(group: all, flags: flags) { withExtendedLifetime(token) {} }
      }
      all.wait()
      if watched != nil { remaining += 1 }
    }
    #expect(remaining == 0)
  }

  /// The submitting thread runs the closure inside of its call here, and must not hold it too.
  @Test(
    "The call that submits a closure does not keep it",
    arguments: [WorkQueue.Attributes(), .concurrent]
  )
  func theCallThatSubmitsAClosureDoesNotKeepIt(attributes: WorkQueue.Attributes) {
    final class Token: Sendable {}
    let configuration = WorkerGroupConfiguration(
      startThread: { _, _ throws(SystemError) in throw .resourceTemporarilyUnavailable },
      pauses: []
    )
    let pool = WorkerPool(
      name: "none",
      width: 1,
      maximumThreadCount: 1,
      configuration: configuration
    )
    let queue = WorkQueue(label: "queue", attributes: attributes, pool: pool)
    let log = EventLog()
    func work() -> @Sendable () -> Void {
      let token = Token()
      weak let watched = token
      return { [token] in
        withExtendedLifetime(token) { log.note("run") }
        queue.async { log.note(watched == nil ? "gone" : "kept") }
      }
    }
    queue.async(execute: work())
    #expect(log.events == ["run", "gone"])
    let group = WorkGroup()
    group.enter()
    group.notify(queue: queue, execute: work())
    group.leave()
    #expect(log.events == ["run", "gone", "run", "gone"])
    queue.asyncAfter(deadline: .now(), execute: work())
    queue.asyncAfter(wallDeadline: .now(), execute: work())
    #expect(log.events.suffix(4) == ["run", "gone", "run", "gone"])
    queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: work())
    while log.events.count < 10 { sched_yield() }
    #expect(log.events.last == "gone")
  }

  @Test("A specific value is released when another one replaces it")
  func aSpecificValueGoesWhenItsSuccessorComes() {
    final class Value: Sendable {}
    weak var first: Value?
    weak var second: Value?
    do {
      let queue = WorkQueue(label: "queue")
      let key = QueueKey<Value>()
      do {
        let values = [Value(), Value()]
        (first, second) = (values[0], values[1])
        queue.setSpecific(key: key, value: values[0])
        queue.setSpecific(key: key, value: values[1])
      }
      #expect(first == nil)
      #expect(second === queue.getSpecific(key: key))
    }
  }

  @Test("Objects of a queue are released on a global queue")
  func whatAQueueKeepsGoesOnAGlobalQueue() {
    final class Value: Sendable {
      let told: @Sendable (String) -> Void
      init(_ told: @escaping @Sendable (String) -> Void) { self.told = told }
      deinit { told(WorkQueue.currentLabel) }
    }
    let labels = Mutex<[String]>([])
    let gone = CountingSemaphore(value: 0)
    WorkQueue(label: "other").sync {
      let queue = WorkQueue(label: "queue")
      queue.setSpecific(
        key: QueueKey<Value>(),
        value: Value { label in
          labels.withLock { $0.append(label) }
          gone.signal()
        }
      )
    }
    gone.wait()
    #expect(labels.withLock { $0 } == [WorkQueue.global().label])
  }
}
