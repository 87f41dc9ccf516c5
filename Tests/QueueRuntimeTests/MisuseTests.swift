import QueueRuntime
import Testing

/// Each misuse ends the process instead of waiting for ever.
@Suite struct MisuseTests {
  @Test func syncOnTheOwnSerialQueue() async {
    await #expect(processExitsWith: .failure) {
      let queue = WorkQueue(label: "own")
      let group = WorkGroup()
      queue.async(group: group) { queue.sync {} }
      group.wait()
    }
  }

  @Test func syncOnASerialQueueThatWaitsForThisItem() async {
    await #expect(processExitsWith: .failure) {
      let first = WorkQueue(label: "first")
      let second = WorkQueue(label: "second")
      first.sync { second.sync { first.sync {} } }
    }
  }

  @Test func syncFromTheQueuesOwnBarrier() async {
    await #expect(processExitsWith: .failure) {
      let queue = WorkQueue(label: "own", attributes: .concurrent)
      queue.sync(flags: .barrier) { queue.sync {} }
    }
    await #expect(processExitsWith: .failure) {
      let queue = WorkQueue(label: "own", attributes: .concurrent)
      let group = WorkGroup()
      queue.async(group: group, flags: .barrier) { queue.sync(flags: .barrier) {} }
      group.wait()
    }
  }

  @Test func leavingAGroupThatNobodyEntered() async {
    await #expect(processExitsWith: .failure) {
      let group = WorkGroup()
      group.enter()
      group.leave()
      group.leave()
    }
  }
}
