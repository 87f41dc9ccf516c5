import QueueRuntime
import Synchronization
import Testing

@Suite struct ConcurrentPerformTests {
  @Test(arguments: [0, 1, 2, 3, 7, 64, 1000, 100_003])
  func callsEachNumberOnce(iterations: Int) {
    let counts = (0..<iterations).map { _ in Counter() }
    WorkQueue.concurrentPerform(iterations: iterations) { counts[$0].add() }
    #expect(counts.allSatisfy { $0.value == 1 })
  }

  @Test func doesNotNeedAFreeWorker() {
    let blocker = CountingSemaphore(value: 0)
    let group = WorkGroup()
    for _ in 0..<16 { WorkQueue.global().async(group: group) { blocker.wait() } }
    let sum = Atomic<Int>(0)
    WorkQueue.concurrentPerform(iterations: 100) { sum.add($0, ordering: .relaxed) }
    #expect(sum.load(ordering: .relaxed) == 4950)
    for _ in 0..<16 { blocker.signal() }
    group.wait()
  }

  @Test func loopsNest() {
    let sum = Atomic<Int>(0)
    WorkQueue.concurrentPerform(iterations: 20) { outer in
      WorkQueue.concurrentPerform(iterations: 20) { inner in
        sum.add(outer * inner, ordering: .relaxed)
      }
    }
    #expect(sum.load(ordering: .relaxed) == 190 * 190)
  }

  @Test func aSerialQueueKeepsTheOrder() {
    let queue = WorkQueue(label: "serial")
    let seen = Mutex<[Int]>([])
    queue.concurrentPerform(iterations: 100) { number in
      WorkQueue.precondition(.onQueueAsBarrier(queue))
      seen.withLock { $0.append(number) }
    }
    #expect(seen.withLock { $0 } == Array(0..<100))
  }

  @Test func onTheOwnSerialQueueItRunsInPlace() {
    let queue = WorkQueue(label: "own")
    let count = Atomic<Int>(0)
    queue.sync {
      queue.concurrentPerform(iterations: 10) { _ in count.add(1, ordering: .relaxed) }
    }
    #expect(count.load(ordering: .relaxed) == 10)
  }

  @Test func barriersOfTheQueueStayOutside() {
    let queue = WorkQueue(label: "concurrent", attributes: .concurrent)
    let inLoop = Atomic<Bool>(false)
    let overlaps = Atomic<Int>(0)
    let group = WorkGroup()
    for _ in 0..<100 {
      queue.async(group: group, flags: .barrier) {
        if inLoop.load(ordering: .relaxed) { overlaps.add(1, ordering: .relaxed) }
      }
      queue.concurrentPerform(iterations: 4) { _ in inLoop.store(true, ordering: .relaxed) }
      queue.sync(flags: .barrier) { inLoop.store(false, ordering: .relaxed) }
    }
    group.wait()
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }

  @Test func whatTheClosureHoldsIsGoneAfterwards() {
    weak var watched: Counter?
    do {
      let held = Counter()
      watched = held
      WorkQueue.concurrentPerform(iterations: 100) { _ in held.add() }
    }
    #expect(watched == nil)
  }

  @Test func aNegativeNumberEndsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      WorkQueue.concurrentPerform(iterations: -1) { _ in }
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
