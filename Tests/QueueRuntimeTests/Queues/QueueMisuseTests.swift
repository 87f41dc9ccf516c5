import QueueRuntime
import Testing

/// Each wait for oneself ends the process with a sentence instead of going on for ever: S83.
@Suite struct QueueMisuseTests {
  private static let itself = "whose work it runs, waits for itself"

  @Test func syncOnTheOwnSerialQueue() async {
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
    check(result, says: "the queue own, " + Self.itself)
  }

  @Test func asyncAndWaitOnTheOwnSerialQueue() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "own")
      queue.sync { queue.asyncAndWait {} }
    }
    check(result, says: Self.itself)
  }

  @Test func syncOnASerialQueueThatWaitsForThisItem() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let first = WorkQueue(label: "first")
      let second = WorkQueue(label: "second")
      first.sync { second.sync { first.sync {} } }
    }
    check(result, says: "the queue first, " + Self.itself)
  }

  @Test func syncThatWaitsElsewhereForTheOneWhoWaits() async {
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
    check(result, says: "the queue first, " + Self.itself)
  }

  @Test func syncFromAChildOnItsTarget() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let target = WorkQueue(label: "target")
      WorkQueue(label: "child", target: target).sync { target.sync {} }
    }
    check(result, says: "the queue target, " + Self.itself)
  }

  @Test(arguments: [false, true]) func syncOnASiblingUnderASerialTarget(isBusy: Bool) async {
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
    check(result, says: isBusy ? "which waits for target, whose work" : Self.itself)
  }

  @Test(arguments: [false, true]) func syncFromATargetOnItsChild(isBusy: Bool) async {
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
    check(result, says: isBusy ? "which waits for target, whose work" : Self.itself)
  }

  @Test func syncFromTheQueuesOwnBarrier() async {
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
    check(result, says: Self.itself)
  }

  @Test func barrierSyncFromAReader() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let queue = WorkQueue(label: "own", attributes: .concurrent)
      queue.sync { queue.sync(flags: .barrier) {} }
    }
    check(result, says: Self.itself)
  }

  @Test func readerSyncBehindABarrierFromAReader() async {
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
    check(result, says: Self.itself)
  }
}
