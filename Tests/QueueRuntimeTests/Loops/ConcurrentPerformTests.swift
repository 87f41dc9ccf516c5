import Synchronization
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Loops (S89)")
struct ConcurrentPerformTests {
  @Test(
    "A loop calls its closure once for each number",
    arguments: [0, 1, 2, 3, 7, 64, 1000, 100_003]
  )
  func callsEachNumberOnce(iterations: Int) {
    let counts = (0..<iterations).map { _ in Counter() }
    WorkQueue.concurrentPerform(iterations: iterations) { counts[$0].add() }
    #expect(counts.allSatisfy { $0.value == 1 })
  }

  @Test("A loop does not need a free worker")
  func doesNotNeedAFreeWorker() {
    let blocker = CountingSemaphore(value: 0)
    let group = WorkGroup()
    for _ in 0..<16 { WorkQueue.global().async(group: group) { blocker.wait() } }
    let sum = Atomic<Int>(0)
    WorkQueue.concurrentPerform(iterations: 100) { sum.add($0, ordering: .relaxed) }
    #expect(sum.load(ordering: .relaxed) == 4950)
    for _ in 0..<16 { blocker.signal() }
    group.wait()
  }

  @Test("Loops may be nested")
  func loopsNest() {
    let sum = Atomic<Int>(0)
    WorkQueue.concurrentPerform(iterations: 20) { outer in
      WorkQueue.concurrentPerform(iterations: 20) { inner in
        sum.add(outer * inner, ordering: .relaxed)
      }
    }
    #expect(sum.load(ordering: .relaxed) == 190 * 190)
  }

  @Test("A serial queue keeps the order")
  func aSerialQueueKeepsTheOrder() {
    let queue = WorkQueue(label: "serial")
    let seen = Mutex<[Int]>([])
    queue.concurrentPerform(iterations: 100) { number in
      WorkQueue.precondition(.onQueueAsBarrier(queue))
      seen.withLock { $0.append(number) }
    }
    #expect(seen.withLock { $0 } == Array(0..<100))
    #expect(queue.statistics().submittedCount == 0)
  }

  @Test("A loop on its own serial queue runs in place")
  func onTheOwnSerialQueueItRunsInPlace() {
    let queue = WorkQueue(label: "own")
    let count = Atomic<Int>(0)
    queue.sync {
      queue.concurrentPerform(iterations: 10) { _ in count.add(1, ordering: .relaxed) }
    }
    #expect(count.load(ordering: .relaxed) == 10)
  }

  @Test("Barriers of the queue stay outside")
  func barriersOfTheQueueStayOutside() {
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

  @Test("Captured objects are released after the loop")
  func whatTheClosureHoldsIsGoneAfterwards() {
    weak var watched: Counter?
    do {
      let held = Counter()
      watched = held
      WorkQueue.concurrentPerform(iterations: 100) { _ in held.add() }
    }
    #expect(watched == nil)
  }

  /// A wait for a turn behind the barrier would be one for itself.
  @Test("A reader before a barrier needs no turn")
  func aReaderBeforeABarrierNeedsNoTurn() {
    let queue = WorkQueue(label: "concurrent", attributes: .concurrent)
    let log = EventLog()
    queue.sync {
      queue.async(flags: .barrier) { log.note("barrier") }
      queue.concurrentPerform(iterations: 3) { _ in
        WorkQueue.precondition(.onQueue(queue))
        log.note("loop")
      }
    }
    queue.sync(flags: .barrier) {}
    #expect(log.events == ["loop", "loop", "loop", "barrier"])
  }

  @Test("A suspended queue does not stop the loop of its reader")
  func aSuspendedQueueDoesNotStopTheLoopOfItsReader() {
    let queue = WorkQueue(label: "concurrent", attributes: .concurrent)
    let counter = Counter()
    queue.sync {
      queue.suspend()
      queue.concurrentPerform(iterations: 100) { _ in counter.add() }
      queue.resume()
    }
    #expect(counter.value == 100)
  }

  @Test("A thread that comes after the end touches nothing")
  func whoComesAfterTheEndTouchesNothing() {
    let counter = Counter()
    let loop = ParallelLoop(in: .global(), iterations: 10, participants: 2) { _ in
      counter.add()
    }
    loop.closeAndWait()
    loop.help()
    loop.work()
    #expect(counter.value == 0)
  }

  @Test("The owner waits for threads inside the loop")
  func theOwnerWaitsForWhoIsInside() {
    let begun = CountingSemaphore(value: 0)
    let end = CountingSemaphore(value: 0)
    let helped = WorkGroup()
    let closed = WorkGroup()
    let loop = ParallelLoop(in: .global(), iterations: 1, participants: 1) { _ in
      begun.signal()
      end.wait()
    }
    WorkQueue.global().async(group: helped) { loop.help() }
    begun.wait()
    WorkQueue.global().async(group: closed) { loop.closeAndWait() }
    // Nobody closes the loop while a call runs, however long this looks.
    #expect(closed.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
    end.signal()
    closed.wait()
    helped.wait()
  }

  @Test("A negative number stops the program")
  func aNegativeNumberEndsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      WorkQueue.concurrentPerform(iterations: -1) { _ in }
    }
    expectMessage("A loop has no negative number of iterations.", from: result)
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
