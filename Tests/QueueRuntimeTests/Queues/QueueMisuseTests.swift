import QueueRuntime
import IOChannelsTestSupport
import Testing

@Suite("Threads that wait for themselves (S83)")
struct QueueMisuseTests {
  private static let itself = "whose work it runs, waits for itself"

  @Test("A sync on the own serial queue stops the program")
  func syncOnTheOwnSerialQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      // It blocks, which the compiler refuses in a task itself (S170).
      func misuse() {
        let queue = WorkQueue(label: "own")
        let group = WorkGroup()
        queue.async(group: group) { queue.sync {} }
        group.wait()
      }
      misuse()
    }
    expectMessage("the queue own, " + Self.itself, from: result)
  }

  @Test("A call of asyncAndWait on the own serial queue stops the program")
  func asyncAndWaitOnTheOwnSerialQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "own")
      queue.sync { queue.asyncAndWait {} }
    }
    expectMessage(Self.itself, from: result)
  }

  @Test("A sync on a serial queue that waits for the item stops the program")
  func syncOnASerialQueueThatWaitsForThisItem() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let first = WorkQueue(label: "first")
      let second = WorkQueue(label: "second")
      first.sync { second.sync { first.sync {} } }
    }
    expectMessage("the queue first, " + Self.itself, from: result)
  }

  @Test("A sync that waits for its own waiter stops the program")
  func syncThatWaitsElsewhereForTheOneWhoWaits() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let first = WorkQueue(label: "first")
      let second = WorkQueue(label: "second")
      first.sync {
        second.suspend()
        WorkQueue.global().async { second.resume() }
        second.asyncAndWait { first.sync {} }
      }
    }
    expectMessage("the queue first, " + Self.itself, from: result)
  }

  @Test("A sync from a child on its target stops the program")
  func syncFromAChildOnItsTarget() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let target = WorkQueue(label: "target")
      WorkQueue(label: "child", target: target).sync { target.sync {} }
    }
    expectMessage("the queue target, " + Self.itself, from: result)
  }

  @Test("A sync on a sibling below a serial target stops the program", arguments: [false, true])
  func syncOnASiblingUnderASerialTarget(isBusy: Bool) async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { [isBusy] in
      let target = WorkQueue(label: "target")
      let first = WorkQueue(label: "first", target: target)
      let second = WorkQueue(label: "second", attributes: .concurrent, target: target)
      first.sync {
        if isBusy { second.async(flags: .barrier) {} }
        second.sync {}
      }
    }
    expectMessage(isBusy ? "which waits for target, whose work" : Self.itself, from: result)
  }

  @Test("A sync from a target on its child stops the program", arguments: [false, true])
  func syncFromATargetOnItsChild(isBusy: Bool) async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { [isBusy] in
      let target = WorkQueue(label: "target", attributes: .concurrent)
      let child = WorkQueue(label: "child", target: target)
      target.sync(flags: .barrier) {
        if isBusy { child.async {} }
        child.sync {}
      }
    }
    expectMessage(isBusy ? "which waits for target, whose work" : Self.itself, from: result)
  }

  @Test("A sync from the queue's own barrier stops the program")
  func syncFromTheQueuesOwnBarrier() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      // It blocks, which the compiler refuses in a task itself (S170).
      func misuse() {
        let queue = WorkQueue(label: "own", attributes: .concurrent)
        let group = WorkGroup()
        queue.async(group: group, flags: .barrier) { queue.sync {} }
        group.wait()
      }
      misuse()
    }
    expectMessage(Self.itself, from: result)
  }

  @Test("A barrier sync from a reader stops the program")
  func barrierSyncFromAReader() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "own", attributes: .concurrent)
      queue.sync { queue.sync(flags: .barrier) {} }
    }
    expectMessage(Self.itself, from: result)
  }

  @Test("A sync after a barrier from a reader stops the program")
  func readerSyncBehindABarrierFromAReader() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "own", attributes: .concurrent)
      queue.sync {
        queue.async(flags: .barrier) {}
        queue.sync {}
      }
    }
    expectMessage(Self.itself, from: result)
  }
}
