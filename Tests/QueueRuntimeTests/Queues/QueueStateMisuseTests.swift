import QueueRuntime
import Testing

/// Each misuse of stops, targets and executors ends the process with a sentence: S84.
@Suite struct QueueStateMisuseTests {
  @Test func oneResumptionTooMany() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      queue.suspend()
      queue.resume()
      queue.resume()
    }
    check(result, says: "A queue is resumed once for each time it was suspended.")
  }

  @Test func resumingAnInactiveQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      WorkQueue(label: "queue", attributes: .initiallyInactive).resume()
    }
    check(result, says: "An inactive queue is activated, not resumed.")
  }

  @Test func lettingGoOfASuspendedQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      WorkQueue(label: "queue").suspend()
    }
    check(result, says: "A queue is not released while it is suspended.")
  }

  @Test func lettingGoOfASuspendedQueueWithWork() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue", attributes: .concurrent)
      queue.suspend()
      queue.async {}
    }
    check(result, says: "A queue is not released while it is suspended.")
  }

  @Test func lettingGoOfAnInactiveQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkQueue(label: "queue", attributes: .initiallyInactive)
    }
    check(result, says: "A queue is not released before it is activated.")
  }

  @Test(arguments: [false, true]) func retargetingAQueueThatKeepsItsTarget(isLate: Bool) async {
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
    check(result, says: "keeps its target once it is active.")
  }

  @Test func aQueueThatTargetsItself() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      queue.setTarget(queue: queue)
      queue.sync {}
    }
    check(result, says: "The queue queue would target itself.")
  }

  @Test(arguments: [UInt(0), 1]) func queuesThatTargetEachOther(bits: UInt) async {
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
    check(result, says: "The queue first would target itself.")
  }

  @Test func anInactiveQueueThatTargetsItself() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue", attributes: .initiallyInactive)
      queue.setTarget(queue: WorkQueue(label: "child", target: queue))
    }
    check(result, says: "The queue queue would target itself.")
  }

  @Test func anActorOnAConcurrentQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let counter = QueueActor(queue: WorkQueue(label: "queue", attributes: .concurrent))
      await counter.increase()
    }
    check(result, says: "Actors run on serial queues only.")
  }

  @Test func touchingAnActorOffItsQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      WorkQueue(label: "queue").checkIsolated()
    }
    check(result, says: "This must run as a barrier of the queue queue, but runs on global.default")
  }

  @Test func beingOffTheQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      WorkQueue(label: "other").sync { WorkQueue.precondition(.onQueue(queue)) }
    }
    check(result, says: "This must run on the queue queue, but runs on other.")
  }

  @Test func beingOnTheQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue")
      queue.sync { WorkQueue.precondition(.notOnQueue(queue)) }
    }
    check(result, says: "This must not run on the queue queue.")
  }

  @Test func beingAReaderOnly() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "queue", attributes: .concurrent)
      queue.sync { WorkQueue.precondition(.onQueueAsBarrier(queue)) }
    }
    check(result, says: "This must run as a barrier of the queue queue, but runs on queue.")
  }

  @Test func aRelativePriorityOutOfItsRange() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkQueue.QoS(qosClass: .utility, relativePriority: 1)
    }
    check(result, says: "A relative priority lies between -15 and 0.")
  }
}
