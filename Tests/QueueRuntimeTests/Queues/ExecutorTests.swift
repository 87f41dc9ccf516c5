import QueueRuntime
import Testing

/// An actor that has a queue as its executor.
actor QueueActor {
  let queue: WorkQueue
  private(set) var value = 0

  init(queue: WorkQueue) {
    self.queue = queue
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  /// Gives whether this runs on the queue.
  @discardableResult
  func increase() -> Bool {
    value += 1
    return WorkQueue.current === queue
  }

  nonisolated func increaseFromQueue() -> Int {
    assumeIsolated { counter in
      counter.value += 1
      return counter.value
    }
  }
}

@Suite("Queues as executors (S81)")
struct ExecutorTests {
  @Test("An actor runs on its queue")
  func anActorRunsOnItsQueue() async {
    let target = WorkQueue(label: "target")
    let counter = QueueActor(queue: WorkQueue(label: "actor", target: target))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<1000 { group.addTask { await counter.increase() } }
      for await isOnQueue in group { #expect(isOnQueue) }
    }
    #expect(await counter.value == 1000)
  }

  @Test("Work of the queue is inside the actor")
  func workOfTheQueueIsInsideTheActor() async {
    let counter = QueueActor(queue: WorkQueue(label: "actor"))
    #expect(counter.queue.sync { counter.increaseFromQueue() } == 1)
    let child = WorkQueue(label: "child", target: counter.queue)
    #expect(child.asyncAndWait { counter.increaseFromQueue() } == 2)
    #expect(child.sync { counter.queue.isIsolatingCurrentContext() } == true)
    #expect(counter.queue.isIsolatingCurrentContext() == false)
    #expect(await counter.value == 2)
  }

  @Test("A reader of a concurrent queue is not isolated")
  func aReaderOfAConcurrentQueueIsNotIsolated() {
    let queue = WorkQueue(label: "concurrent", attributes: .concurrent)
    #expect(queue.sync { queue.isIsolatingCurrentContext() } == false)
    #expect(queue.sync(flags: .barrier) { queue.isIsolatingCurrentContext() } == true)
  }
}
