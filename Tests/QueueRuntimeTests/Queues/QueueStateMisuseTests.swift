import QueueRuntime
import IOChannelsTestSupport
import Testing

@Suite("Misuse of suspensions, targets and executors (S84)")
struct QueueStateMisuseTests {
  @Test("A resume without a suspension stops the program")
  func oneResumptionTooMany() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      queue.suspend()
      queue.resume()
      queue.resume()
    }
    expectMessage("A queue is resumed once for each time it was suspended.", from: result)
  }

  @Test("A resume of an inactive queue stops the program")
  func resumingAnInactiveQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      WorkQueue(label: "queue", attributes: .initiallyInactive).resume()
    }
    expectMessage("An inactive queue is activated, not resumed.", from: result)
  }

  @Test("A suspended queue that is released stops the program")
  func lettingGoOfASuspendedQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      WorkQueue(label: "queue").suspend()
    }
    expectMessage("A queue is not released while it is suspended.", from: result)
  }

  @Test("A suspended queue with work that is released stops the program")
  func lettingGoOfASuspendedQueueWithWork() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue", attributes: .concurrent)
      queue.suspend()
      queue.async {}
    }
    expectMessage("A queue is not released while it is suspended.", from: result)
  }

  @Test("An inactive queue that is released stops the program")
  func lettingGoOfAnInactiveQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkQueue(label: "queue", attributes: .initiallyInactive)
    }
    expectMessage("A queue is not released before it is activated.", from: result)
  }

  @Test(
    "A new target for a queue that keeps its target stops the program",
    arguments: [false, true]
  ) func retargetingAQueueThatKeepsItsTarget(isLate: Bool) async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { [isLate] in
      let target = WorkQueue(label: "target")
      let queue = WorkQueue(
        label: "queue",
        attributes: isLate ? .initiallyInactive : [],
        target: isLate ? nil : target
      )
      queue.activate()
      queue.setTarget(queue: target)
    }
    expectMessage("keeps its target once it is active.", from: result)
  }

  @Test("A queue that targets itself stops the program")
  func aQueueThatTargetsItself() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      queue.setTarget(queue: queue)
      queue.sync {}
    }
    expectMessage("The queue queue would target itself.", from: result)
  }

  @Test("Queues that target each other stop the program", arguments: [UInt(0), 1])
  func queuesThatTargetEachOther(bits: UInt) async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { [bits] in
      let first = WorkQueue(label: "first", attributes: .init(rawValue: bits))
      let second = WorkQueue(label: "second", target: first)
      let third = WorkQueue(label: "third", attributes: .init(rawValue: bits), target: second)
      first.setTarget(queue: third)
      third.sync {}
    }
    expectMessage("The queue first would target itself.", from: result)
  }

  @Test("An inactive queue that targets itself stops the program")
  func anInactiveQueueThatTargetsItself() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue", attributes: .initiallyInactive)
      queue.setTarget(queue: WorkQueue(label: "child", target: queue))
    }
    expectMessage("The queue queue would target itself.", from: result)
  }

  @Test("An actor on a concurrent queue stops the program")
  func anActorOnAConcurrentQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let counter = QueueActor(queue: WorkQueue(label: "queue", attributes: .concurrent))
      await counter.increase()
    }
    expectMessage("Actors run on serial queues only.", from: result)
  }

  @Test("An access to an actor outside of its queue stops the program")
  func touchingAnActorOffItsQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      WorkQueue(label: "queue").checkIsolated()
    }
    expectMessage(
      "This must run as a barrier of the queue queue, but runs on global.default",
      from: result
    )
  }

  @Test("A check for the queue stops the program outside of it")
  func beingOffTheQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      WorkQueue(label: "other").sync { WorkQueue.precondition(.onQueue(queue)) }
    }
    expectMessage("This must run on the queue queue, but runs on other.", from: result)
  }

  @Test("A check against the queue stops the program on it")
  func beingOnTheQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      queue.sync { WorkQueue.precondition(.notOnQueue(queue)) }
    }
    expectMessage("This must not run on the queue queue.", from: result)
  }

  @Test("A check for a barrier stops the program in a reader")
  func beingAReaderOnly() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue", attributes: .concurrent)
      queue.sync { WorkQueue.precondition(.onQueueAsBarrier(queue)) }
    }
    expectMessage("This must run as a barrier of the queue queue, but runs on queue.", from: result)
  }

  @Test("A relative priority out of its range stops the program")
  func aRelativePriorityOutOfItsRange() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkQueue.QoS(qosClass: .utility, relativePriority: 1)
    }
    expectMessage("A relative priority lies between -15 and 0.", from: result)
  }
}
