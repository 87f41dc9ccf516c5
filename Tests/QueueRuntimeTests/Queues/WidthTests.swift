import IOChannelsSystem
import IOChannelsTestSupport
import QueueRuntime
import Synchronization
import Testing

/// Queues whose width a C program sets.
@Suite("The width of a queue (S305)")
struct WidthTests {
  /// Notes work that has to run alone.
  private final class Ledger: Sendable {
    let inside = Atomic<Int>(0)
    let runs = Atomic<Int>(0)
    let faults = Atomic<Int>(0)

    func runAlone(after earlier: Int? = nil) {
      if inside.add(1, ordering: .relaxed).oldValue != 0 { faults.add(1, ordering: .relaxed) }
      if let earlier, runs.load(ordering: .relaxed) != earlier {
        faults.add(1, ordering: .relaxed)
      }
      runs.add(1, ordering: .relaxed)
      inside.subtract(1, ordering: .relaxed)
    }

    func run() {
      if inside.load(ordering: .relaxed) != 0 { faults.add(1, ordering: .relaxed) }
      runs.add(1, ordering: .relaxed)
    }
  }

  @Test("A serial queue runs its items one by one until it is widened, and then concurrently")
  func aSerialQueueBecomesConcurrent() {
    let queue = WorkQueue(label: "widened")
    let ledger = Ledger()
    for number in 0..<1000 { queue.async { ledger.runAlone(after: number) } }
    queue.setConcurrent(true)
    itemsThatMeet(8, on: queue).wait()
    #expect(ledger.runs.load(ordering: .relaxed) == 1000)
    #expect(ledger.faults.load(ordering: .relaxed) == 0)
    #expect(queue.sync { queue.sync { 7 } } == 7)
    #expect(queue.asyncAndWait { 8 } == 8)
    #expect(queue.sync(flags: .barrier) { 9 } == 9)
    #expect(queue.asyncAndWait(flags: .barrier) { 10 } == 10)
  }

  @Test("A thread inside a widened queue enters it again, whatever other threads add")
  func enteringAgain() throws {
    let queue = WorkQueue(label: "widened")
    let group = WorkGroup()
    for _ in 0..<2 {
      group.enter()
      try PlatformThread.start(name: "adds") {
        for _ in 0..<20_000 { queue.async(group: group) {} }
        group.leave()
      }
    }
    queue.setConcurrent(true)
    let entries = queue.asyncAndWait {
      (0..<20_000).reduce(0) { sum, _ in queue.sync { sum + 1 } }
    }
    group.wait()
    #expect(entries == 20_000)
  }

  @Test("Barriers of a widened queue exclude everything and keep their place")
  func barriersOfAWidenedQueue() {
    let queue = WorkQueue(label: "widened")
    queue.setConcurrent(true)
    let ledger = Ledger()
    let group = WorkGroup()
    for number in 0..<20_000 {
      switch number % 7 {
      case 0: queue.async(group: group, flags: .barrier) { ledger.runAlone(after: number) }
      case 1: queue.sync(flags: .barrier) { ledger.runAlone(after: number) }
      case 2: queue.sync { ledger.run() }
      default: queue.async(group: group) { ledger.run() }
      }
    }
    group.wait()
    #expect(ledger.runs.load(ordering: .relaxed) == 20_000)
    #expect(ledger.faults.load(ordering: .relaxed) == 0)
  }

  @Test("A queue with the width 1 is serial", arguments: [true, false])
  func aNarrowQueueIsSerial(isCreatedConcurrent: Bool) {
    let queue = WorkQueue(label: "narrow", attributes: isCreatedConcurrent ? .concurrent : [])
    if !isCreatedConcurrent { queue.setConcurrent(true) }
    itemsThatMeet(4, on: queue).wait()
    queue.setConcurrent(false)
    let ledger = Ledger()
    for number in 0..<10_000 {
      switch number % 3 {
      case 0: queue.sync { ledger.runAlone(after: number) }
      case 1: queue.asyncAndWait { ledger.runAlone(after: number) }
      default: queue.async { ledger.runAlone(after: number) }
      }
    }
    queue.sync { ledger.runAlone(after: 10_000) }
    #expect(ledger.faults.load(ordering: .relaxed) == 0)
    queue.setConcurrent(true)
    itemsThatMeet(4, on: queue).wait()
  }

  @Test("A suspended queue is widened when it is resumed")
  func aSuspendedQueueIsWidened() {
    let queue = WorkQueue(label: "widened")
    queue.suspend()
    queue.setConcurrent(true)
    let done = itemsThatMeet(4, on: queue)
    #expect(done.wait(timeout: .now() + .milliseconds(5)) == .timedOut)
    queue.resume()
    done.wait()
    queue.suspend()
    let later = itemsThatMeet(4, on: queue)
    #expect(later.wait(timeout: .now() + .milliseconds(5)) == .timedOut)
    queue.resume()
    later.wait()
  }

  @Test("Work that threads submit during the change is neither lost nor runs beside barriers")
  func workDuringTheChange() throws {
    for _ in 0..<Tier.count(quick: 50, full: 1000) {
      let queue = WorkQueue(label: "changing")
      let ledger = Ledger()
      let all = WorkGroup()
      for _ in 0..<4 {
        all.enter()
        try PlatformThread.start(name: "width") {
          for number in 0..<200 {
            switch number % 5 {
            case 0: queue.sync { ledger.run() }
            case 1: queue.async(group: all, flags: .barrier) { ledger.runAlone() }
            case 2: queue.sync(flags: .barrier) { ledger.runAlone() }
            default: queue.async(group: all) { ledger.run() }
            }
            if number == 100 { queue.setConcurrent(true) }
          }
          all.leave()
        }
      }
      all.wait()
      #expect(ledger.runs.load(ordering: .relaxed) == 800)
      #expect(ledger.faults.load(ordering: .relaxed) == 0)
    }
  }

  @Test("Queues with a widened target run concurrently, and a new target is obeyed")
  func targets() {
    let target = WorkQueue(label: "target")
    target.setConcurrent(true)
    let queues = (0..<4).map { WorkQueue(label: "child \($0)", target: target) }
    let arrived = WorkGroup()
    let done = WorkGroup()
    for _ in queues { arrived.enter() }
    for queue in queues {
      queue.async(group: done) {
        arrived.leave()
        arrived.wait()
      }
    }
    done.wait()
    let serial = WorkQueue(label: "serial")
    target.setTarget(queue: serial)
    let isOnSerial = Atomic<Bool>(false)
    target.async(group: done) {
      WorkQueue.precondition(.onQueueAsBarrier(serial))
      isOnSerial.store(true, ordering: .relaxed)
    }
    done.wait()
    let hasRun = isOnSerial.load(ordering: .relaxed)
    #expect(hasRun)
  }
}
