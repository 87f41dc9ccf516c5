import QueueRuntime
import Synchronization
import IOChannelsSystem
import Testing

@Suite("Serial queues (S70, S73)")
struct SerialQueueTests {
  @Test("Items run in the order of submission")
  func runsInOrderOfSubmission() {
    let queue = WorkQueue(label: "order")
    let group = WorkGroup()
    let seen = Mutex<[Int]>([])
    for number in 0..<10_000 {
      queue.async(group: group) { seen.withLock { $0.append(number) } }
    }
    group.wait()
    #expect(seen.withLock { $0 } == Array(0..<10_000))
  }

  @Test("A sync runs after earlier items")
  func syncRunsAfterWhatWasSubmittedBefore() {
    let queue = WorkQueue(label: "sync")
    let count = Atomic<Int>(0)
    for round in 1...1000 {
      queue.async { count.add(1, ordering: .relaxed) }
      #expect(queue.sync { count.load(ordering: .relaxed) } == round)
    }
  }

  @Test("A sync returns results and errors of the closure")
  func syncGivesResultsAndErrorsOfTheClosure() {
    struct Refusal: Error, Equatable {}
    struct Unique: ~Copyable { var value = 5 }
    let queue = WorkQueue(label: "results")
    let result = Result { () throws(Refusal) -> Int in
      try queue.sync { () throws(Refusal) -> Int in throw Refusal() }
    }
    #expect(result == .failure(Refusal()))
    #expect(queue.sync { Unique() }.value == 5)
    #expect(queue.sync { 6 } == 6)
  }

  @Test("Calls of sync on different queues may be nested")
  func syncNestsOverDifferentQueues() {
    let first = WorkQueue(label: "first")
    let second = WorkQueue(label: "second")
    #expect(first.sync { second.sync { 1 } } == 1)
    let group = WorkGroup()
    first.async(group: group) { second.sync {} }
    second.async(group: group) {}
    group.wait()
  }

  @Test("An idle queue runs sync on the calling thread")
  func anIdleQueueRunsSyncOnTheCallingThread() {
    let thread = PlatformThread.currentToken
    #expect(WorkQueue(label: "idle").sync { PlatformThread.currentToken } == thread)
  }

  @Test("A busy queue runs sync on the calling thread too")
  func aBusyQueueRunsSyncOnTheCallingThreadToo() {
    let queue = WorkQueue(label: "busy")
    let end = WorkGroup()
    end.enter()
    queue.async { end.wait() }
    WorkQueue.global().async { end.leave() }
    let thread = PlatformThread.currentToken
    #expect(queue.sync { PlatformThread.currentToken } == thread)
    #expect(queue.sync { 1 } == 1)
  }

  @Test("A handler may release the last reference to its queue")
  func aHandlerMayDropTheLastReferenceToItsQueue() {
    let gone = CountingSemaphore(value: 0)
    let box = Mutex<WorkQueue?>(WorkQueue(label: "dropped"))
    let key = QueueKey<SignalAtEnd>()
    box.withLock { $0 }?.setSpecific(key: key, value: SignalAtEnd(semaphore: gone))
    for number in 0..<3 {
      box.withLock { $0 }?.async {
        if number == 2 { box.withLock { $0 = nil } }
      }
    }
    gone.wait()
  }

  @Test("Waiting items run after the queue is released")
  func whatWaitsKeepsRunningAfterTheQueueIsLetGo() {
    let count = Atomic<Int>(0)
    let group = WorkGroup()
    do {
      let queue = WorkQueue(label: "gone")
      for _ in 0..<1000 { queue.async(group: group) { count.add(1, ordering: .relaxed) } }
    }
    group.wait()
    #expect(count.load(ordering: .relaxed) == 1000)
  }
}

/// Signals when it goes, as the values of a queue do with it.
private final class SignalAtEnd: Sendable {
  private let semaphore: CountingSemaphore

  init(semaphore: CountingSemaphore) {
    self.semaphore = semaphore
  }

  deinit {
    semaphore.signal()
  }
}
