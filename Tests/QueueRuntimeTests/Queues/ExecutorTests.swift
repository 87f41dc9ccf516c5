import Glibc
import IOChannelsTestSupport
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

  @Test("Work that a task awaits is inside the actor (S81)")
  func awaitedWorkIsInsideTheActor() async throws {
    let counter = QueueActor(queue: WorkQueue(label: "actor"))
    #expect(try await counter.queue.run { counter.increaseFromQueue() } == 1)
    #expect(await counter.value == 1)
  }

  @Test("Code outside of the queue cannot assume the isolation of its actor (S81)")
  func isolationIsCheckedElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let counter = QueueActor(queue: WorkQueue(label: "actor"))
      WorkQueue(label: "other").sync { _ = counter.increaseFromQueue() }
      exit(EXIT_SUCCESS)
    }
  }

  @Test("The executor that a task prefers does not move an actor with a queue (S81, S104)")
  func aPreferenceDoesNotMoveTheActor() async {
    let pool = WorkerPool(name: "prefers", width: 1, maximumThreadCount: 1)
    let counter = QueueActor(queue: WorkQueue(label: "actor"))
    let task = Task(executorPreference: pool) {
      let name = currentThreadName
      return (name, await counter.increase(), currentThreadName)
    }
    let (before, isOnQueue, after) = await task.value
    #expect(before.hasPrefix("prefers-") && after.hasPrefix("prefers-"))
    #expect(isOnQueue)
  }
}
