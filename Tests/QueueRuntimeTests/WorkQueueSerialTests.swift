import QueueRuntime
import Synchronization
import Testing

@Suite struct SerialQueueTests {
  @Test func runsInOrderOfSubmission() {
    let queue = WorkQueue(label: "order")
    let group = WorkGroup()
    let seen = Mutex<[Int]>([])
    for number in 0..<10_000 {
      queue.async(group: group) { seen.withLock { $0.append(number) } }
    }
    group.wait()
    #expect(seen.withLock { $0 } == Array(0..<10_000))
  }

  @Test func syncRunsAfterWhatWasSubmittedBefore() {
    let queue = WorkQueue(label: "sync")
    let count = Atomic<Int>(0)
    for round in 1...1000 {
      queue.async { count.add(1, ordering: .relaxed) }
      #expect(queue.sync { count.load(ordering: .relaxed) } == round)
    }
  }
}
