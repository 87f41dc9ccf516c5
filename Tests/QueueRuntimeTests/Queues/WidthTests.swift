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

  @Test("A serial queue ignores its width")
  func serialQueue() {
    let queue = WorkQueue(label: "serial")
    let ledger = Ledger()
    for number in 0..<1000 {
      if number == 500 { queue.setConcurrent(true) }
      queue.async { ledger.runAlone(after: number) }
    }
    queue.sync { ledger.runAlone(after: 1000) }
    #expect(ledger.faults.load(ordering: .relaxed) == 0)
  }

  @Test("A concurrent queue with the width 1 is serial")
  func aNarrowQueueIsSerial() {
    let queue = WorkQueue(label: "narrow", attributes: .concurrent)
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

  @Test("Work that threads submit during the change is neither lost nor runs beside barriers")
  func workDuringTheChange() throws {
    for _ in 0..<Tier.count(quick: 50, full: 1000) {
      let queue = WorkQueue(label: "changing", attributes: .concurrent)
      queue.setConcurrent(false)
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
}
