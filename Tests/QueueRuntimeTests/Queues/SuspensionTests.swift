import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Suspensions (S75, S76)", .serialized) struct SuspensionTests {
  private static let kinds: [WorkQueue.Attributes] = [[], .concurrent]

  @Test("A suspended queue starts no item", arguments: kinds) func startsNothingWhileSuspended(
    attributes: WorkQueue.Attributes
  ) {
    let target = WorkQueue(label: "target")
    let queue = WorkQueue(label: "queue", attributes: attributes, target: target)
    let log = EventLog()
    let all = WorkGroup()
    queue.suspend()
    queue.suspend()
    queue.async(group: all) { log.note("first") }
    queue.async(group: all, flags: .barrier) { log.note("barrier") }
    queue.async(group: all) { log.note("last") }
    target.sync { log.note("target") }
    queue.resume()
    target.sync { log.note("target") }
    queue.resume()
    all.wait()
    #expect(log.events == ["target", "target", "first", "barrier", "last"])
  }

  @Test("An item may suspend its own queue", arguments: kinds) func anItemMayStopItsOwnQueue(
    attributes: WorkQueue.Attributes
  ) {
    let queue = WorkQueue(label: "queue", attributes: attributes)
    let log = EventLog()
    let first = WorkGroup()
    let all = WorkGroup()
    queue.async(group: first, flags: .barrier) {
      queue.suspend()
      log.note("first")
    }
    queue.async(group: all, flags: .barrier) { log.note("second") }
    first.wait()
    log.note("waited")
    queue.resume()
    all.wait()
    #expect(log.events == ["first", "waited", "second"])
  }

  /// The oldest item is looked at before the stop, so that this order always holds.
  @Test("Items after a suspension wait", arguments: kinds) func whatFollowsASuspensionWaits(
    attributes: WorkQueue.Attributes
  ) {
    let queue = WorkQueue(label: "queue", attributes: attributes)
    let early = Atomic<Int>(0)
    let isStopped = Atomic<Bool>(false)
    for round in 0..<Tier.count(quick: 20_000, full: 500_000) {
      for _ in 0..<round % 4 { queue.async {} }
      queue.suspend()
      isStopped.store(true, ordering: .relaxed)
      queue.async {
        if isStopped.load(ordering: .relaxed) { early.add(1, ordering: .relaxed) }
      }
      spin { false }
      isStopped.store(false, ordering: .relaxed)
      queue.resume()
      queue.sync(flags: .barrier) {}
    }
    #expect(early.load(ordering: .relaxed) == 0)
  }

  @Test("A suspended target stops its children", arguments: kinds)
  func aSuspendedTargetStopsItsChildren(attributes: WorkQueue.Attributes) {
    let target = WorkQueue(label: "target", attributes: attributes)
    let queue = WorkQueue(label: "queue", target: target)
    let log = EventLog()
    let all = WorkGroup()
    target.suspend()
    queue.async(group: all) { log.note("async") }
    WorkQueue.global().async(group: all) { queue.sync { log.note("sync") } }
    WorkQueue.global().sync { log.note("suspended") }
    target.resume()
    all.wait()
    #expect(log.events.first == "suspended")
    #expect(log.events.sorted() == ["async", "suspended", "sync"])
  }

  @Test("A sync waits for the resume", arguments: kinds, [WorkItem.Flags(), .barrier])
  func syncWaitsForTheResumption(attributes: WorkQueue.Attributes, flags: WorkItem.Flags) {
    let queue = WorkQueue(label: "queue", attributes: attributes)
    let log = EventLog()
    let all = WorkGroup()
    queue.suspend()
    for _ in 0..<3 {
      WorkQueue.global().async(group: all) { queue.sync(flags: flags) { log.note("sync") } }
    }
    WorkQueue.global().async(group: all) {
      log.note("resume")
      queue.resume()
    }
    all.wait()
    #expect(log.events == ["resume", "sync", "sync", "sync"])
  }

  @Test("An inactive queue waits for its activation", arguments: kinds)
  func anInactiveQueueWaitsForItsActivation(
    attributes: WorkQueue.Attributes
  ) {
    let queue = WorkQueue(label: "queue", attributes: attributes.union(.initiallyInactive))
    let log = EventLog()
    let all = WorkGroup()
    queue.async(group: all, flags: .barrier) { log.note("async") }
    queue.suspend()
    queue.activate()
    log.note("active")
    queue.activate()
    queue.resume()
    all.wait()
    queue.activate()
    queue.sync { log.note("sync") }
    #expect(log.events == ["active", "async", "sync"])
  }

  @Test("A sync waits for the activation")
  func syncWaitsForTheActivation() {
    let queue = WorkQueue(label: "queue", attributes: .initiallyInactive)
    let log = EventLog()
    WorkQueue.global().async {
      log.note("activate")
      queue.activate()
    }
    queue.sync { log.note("sync") }
    #expect(log.events == ["activate", "sync"])
  }

  /// A stopped queue takes its place in the target when it is resumed.
  @Test("A resumed queue enters its target")
  func goesIntoTheTargetWhenResumed() {
    let target = WorkQueue(label: "target")
    let queue = WorkQueue(label: "queue", target: target)
    let log = EventLog()
    target.suspend()
    queue.suspend()
    queue.async { log.note("queue") }
    target.async { log.note("target") }
    queue.resume()
    target.resume()
    queue.sync {}
    target.sync {}
    #expect(log.events == ["target", "queue"])
  }

  @Test("A barrier whose turn has come is suspended too")
  func aBarrierWhoseTurnCameIsStoppedToo() {
    let target = WorkQueue(label: "target", attributes: .concurrent)
    let queue = WorkQueue(label: "queue", attributes: .concurrent, target: target)
    let log = EventLog()
    let all = WorkGroup()
    let started = WorkGroup()
    let end = WorkGroup()
    started.enter()
    end.enter()
    queue.async(group: all) {
      started.leave()
      end.wait()
      log.note("reader")
    }
    queue.async(group: all, flags: .barrier) { log.note("barrier") }
    started.wait()
    queue.suspend()
    end.leave()
    // The reader is gone from the target when its barrier comes.
    target.sync(flags: .barrier) { log.note("target") }
    log.note("resume")
    queue.resume()
    all.wait()
    #expect(log.events == ["reader", "target", "resume", "barrier"])
  }

  @Test("Global queues and the main queue are never suspended")
  func globalQueuesAndTheMainQueueAreNeverStopped() {
    WorkQueue.global(qos: .utility).suspend()
    WorkQueue.main.suspend()
    WorkQueue.main.activate()
    let all = WorkGroup()
    WorkQueue.global(qos: .utility).async(group: all) {}
    all.wait()
    WorkQueue.global(qos: .utility).resume()
    WorkQueue.global(qos: .utility).resume()
    WorkQueue.main.resume()
  }
}
