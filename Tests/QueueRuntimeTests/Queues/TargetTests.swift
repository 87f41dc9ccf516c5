import QueueRuntime
import Synchronization
import IOChannelsTestSupport
import Testing

@Suite("Changes of the target (S77)")
struct TargetTests {
  private let key = QueueKey<String>()

  private func makeTarget(_ name: String) -> WorkQueue {
    let queue = WorkQueue(label: name)
    queue.setSpecific(key: key, value: name)
    return queue
  }

  @Test("A change is made in order", arguments: [WorkQueue.Attributes(), .concurrent])
  func aChangeTakesItsTurn(attributes: WorkQueue.Attributes) {
    let targets = [makeTarget("one"), makeTarget("two")]
    let queue = WorkQueue(label: "queue", attributes: attributes)
    let log = EventLog()
    let key = key
    @Sendable func note() { log.note(WorkQueue.getSpecific(key: key) ?? "none") }
    queue.async { note() }
    queue.setTarget(queue: targets[0])
    queue.async { note() }
    queue.sync { note() }
    queue.setTarget(queue: targets[1])
    queue.sync { note() }
    queue.setTarget(queue: nil)
    queue.asyncAndWait { note() }
    queue.setTarget(queue: .global(qos: .utility))
    queue.sync(flags: .barrier) { note() }
    #expect(log.events == ["none", "one", "one", "two", "none", "none"])
  }

  @Test(
    "Changes during submissions keep the rules of the targets",
    arguments: [WorkQueue.Attributes(), .concurrent]
  )
  func changesWhileManySubmitKeepTheRulesOfTheTargets(attributes: WorkQueue.Attributes) {
    let targets = [makeTarget("one"), makeTarget("two")]
    let queue = WorkQueue(label: "queue", attributes: attributes)
    let counters = [UnguardedCounter(), UnguardedCounter()]
    let all = WorkGroup()
    let key = key
    @Sendable func count() {
      switch WorkQueue.getSpecific(key: key) {
      case "one": counters[0].increase()
      case "two": counters[1].increase()
      default: break
      }
    }
    queue.setTarget(queue: targets[0])
    for number in 0..<Tier.count(quick: 4000, full: 200_000) {
      queue.async(group: all) { count() }
      targets[number % 2].async(group: all) { count() }
      if number % 7 == 0 { queue.setTarget(queue: targets[number / 7 % 2]) }
      if number % 11 == 0 { queue.sync { count() } }
    }
    all.wait()
    let sum = targets[0].sync { counters[0].count } + targets[1].sync { counters[1].count }
    #expect(sum == Tier.count(quick: 8364, full: 418_182))
  }

  /// A drain that had gone into the old target would wait there, and run beside the new one.
  @Test("A change before the activation leaves nothing in the old target")
  func aChangeBeforeTheActivationLeavesNothingInTheOldTarget() {
    let old = WorkQueue(label: "old")
    let queue = WorkQueue(label: "queue", attributes: .initiallyInactive, target: old)
    let all = WorkGroup()
    old.suspend()
    queue.async(group: all) {}
    queue.setTarget(queue: WorkQueue(label: "new"))
    queue.activate()
    #expect(all.wait(timeout: .now() + .seconds(60)) == .success)
    old.resume()
  }

  @Test("Changes of an inactive queue may race with submissions")
  func changesOfAnInactiveQueueMayRaceWithSubmissions() {
    for _ in 0..<Tier.count(quick: 500, full: 20_000) {
      let targets = [makeTarget("one"), makeTarget("two")]
      let queue = WorkQueue(label: "queue", attributes: .initiallyInactive)
      let all = WorkGroup()
      let seen = EventLog()
      let key = key
      WorkQueue.global().async(group: all) {
        queue.async(group: all) { seen.note(WorkQueue.getSpecific(key: key) ?? "none") }
        queue.sync { seen.note(WorkQueue.getSpecific(key: key) ?? "none") }
      }
      for number in 0..<4 { queue.setTarget(queue: targets[number % 2]) }
      queue.activate()
      all.wait()
      #expect(seen.events == ["two", "two"])
    }
  }

  @Test("The main queue and global queues keep their targets")
  func theMainQueueAndGlobalQueuesKeepTheirPlace() {
    WorkQueue.global().setTarget(queue: makeTarget("one"))
    #expect(WorkQueue.global().sync { WorkQueue.getSpecific(key: key) } == nil)
    WorkQueue.main.setTarget(queue: makeTarget("one"))
  }

  @Test("The global queues stand for their classes")
  func theGlobalQueuesStandForTheirClasses() {
    #expect(WorkQueue.global(priority: .high) === WorkQueue.global(qos: .userInitiated))
    #expect(WorkQueue.global(priority: .default) === WorkQueue.global())
    #expect(WorkQueue.global(priority: .low) === WorkQueue.global(qos: .utility))
    #expect(WorkQueue.global(priority: .background) === WorkQueue.global(qos: .background))
    #expect(WorkQueue.global(qos: .unspecified) === WorkQueue.global(qos: .default))
  }

  @Test("A queue retains its target and releases an old one")
  func aQueueKeepsItsTargetAndLetsGoOfAnOldOne() {
    let queue = WorkQueue(label: "queue")
    let gone = CountingSemaphore(value: 0)
    weak var old: WorkQueue?
    do {
      let target = WorkQueue(label: "old")
      target.setSpecific(key: QueueKey<Farewell>(), value: Farewell(gone))
      old = target
      queue.setTarget(queue: target)
    }
    queue.sync {}
    #expect(old != nil)
    queue.setTarget(queue: nil)
    gone.wait()
    #expect(old == nil)
  }

  private final class Farewell: Sendable {
    private let gone: CountingSemaphore

    init(_ gone: CountingSemaphore) {
      self.gone = gone
    }

    deinit {
      // What goes with the old target may use queues itself.
      WorkQueue(label: "last", attributes: .initiallyInactive).activate()
      gone.signal()
    }
  }
}
