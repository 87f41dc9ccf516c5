import Synchronization
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Semaphores (S87)")
struct CountingSemaphoreTests {
  @Test("Permits are taken at once while there are any")
  func permitsAreTakenAtOnceWhileThereAreAny() {
    let semaphore = CountingSemaphore(value: 2)
    semaphore.wait()
    semaphore.wait()
    #expect(semaphore.wait { 0 } == .timedOut)
    #expect(semaphore.signal() == 0)
    #expect(semaphore.wait { 0 } == .success)
    semaphore.signal()
    semaphore.signal()
  }

  @Test("A signal returns whether a thread waited")
  func aSignalSaysThatSomebodyWaited() {
    let semaphore = CountingSemaphore(value: 0)
    let isOver = Atomic<Bool>(false)
    let group = WorkGroup()
    WorkQueue.global().async(group: group) {
      while !isOver.load(ordering: .relaxed) { semaphore.wait() }
    }
    // Whether the other thread waits is not to be seen from here, so this asks until it does, and
    // takes back what nobody got.
    while semaphore.signal() == 0 { _ = semaphore.wait { 0 } }
    isOver.store(true, ordering: .relaxed)
    semaphore.signal()
    group.wait()
  }

  @Test("More waiters than permits all get one")
  func moreWaitersThanPermitsAllGetOne() {
    let semaphore = CountingSemaphore(value: 0)
    let group = WorkGroup()
    let queue = WorkQueue(label: "waiters", attributes: .concurrent)
    for _ in 0..<40 { queue.async(group: group) { semaphore.wait() } }
    for _ in 0..<40 { semaphore.signal() }
    group.wait()
    #expect(semaphore.wait { 0 } == .timedOut)
  }

  @Test("No more threads hold permits than there are")
  func noMoreHoldPermitsThanThereAre() {
    let semaphore = CountingSemaphore(value: 3)
    let inside = Atomic<Int>(0)
    let most = Atomic<Int>(0)
    WorkQueue.concurrentPerform(iterations: Tier.count(quick: 20_000, full: 2_000_000)) { _ in
      semaphore.wait()
      most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
      inside.subtract(1, ordering: .relaxed)
      semaphore.signal()
    }
    #expect(most.load(ordering: .relaxed) <= 3)
  }

  @Test("Tasks wait without blocking a thread")
  func tasksWaitWithoutBlockingAThread() async throws {
    let semaphore = CountingSemaphore(value: 0)
    try await withThrowingTaskGroup { tasks in
      for _ in 0..<100 { tasks.addTask { try await semaphore.acquire() } }
      tasks.addTask { for _ in 0..<100 { semaphore.signal() } }
      try await tasks.waitForAll()
    }
    #expect(semaphore.wait { 0 } == .timedOut)
  }

  @Test("A wait that times out takes no permit")
  func whoeverGivesUpTakesNoPermitAlong() {
    let semaphore = CountingSemaphore(value: 0)
    let count = Tier.count(quick: 2_000, full: 200_000)
    let taken = Atomic<Int>(0)
    let group = WorkGroup()
    for _ in 0..<2 {
      WorkQueue.global().async(group: group) {
        for number in 0..<count {
          var looks = number % 3
          let result = semaphore.wait {
            looks -= 1
            return looks < 0 ? 0 : 1000
          }
          if result == .success { taken.add(1, ordering: .relaxed) }
        }
      }
    }
    for _ in 0..<count { semaphore.signal() }
    group.wait()
    var left = 0
    while semaphore.wait({ 0 }) == .success { left += 1 }
    #expect(taken.load(ordering: .relaxed) + left == count)
  }

  @Test("A permit of the last moment is taken")
  func aPermitOfTheLastMomentIsTaken() {
    let semaphore = CountingSemaphore(value: 0)
    #expect(semaphore.wait(timeout: .now() + .microseconds(100)) == .timedOut)
    // Asked for the time left the second time, the thread is the only waiter.
    var looks = 0
    let result = semaphore.wait {
      looks += 1
      if looks == 2 { semaphore.signal() }
      return looks < 2 ? 1 : 0
    }
    #expect(result == .success)
    #expect(semaphore.wait(timeout: .now()) == .timedOut)
  }

  @Test("A negative value at the beginning stops the program")
  func aDebtAtTheBeginningEndsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = CountingSemaphore(value: -1)
    }
    expectMessage("A semaphore begins with permits, not with a debt.", from: result)
  }

  @Test("A release while permits are in use stops the program")
  func lettingGoWhilePermitsAreOutEndsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      // It blocks, which the compiler refuses in a task itself (S170).
      func misuse() {
        CountingSemaphore(value: 1).wait()
      }
      misuse()
    }
    expectMessage("A semaphore is not released while permits are out.", from: result)
  }
}

@Suite("Queue of a semaphore")
struct SemaphoreWaitersTests {
  @Test("The signal and the wait may come in either order")
  func giverAndTakerMayComeInEitherOrder() {
    var waiters = SemaphoreWaiters<Int>()
    let early = waiters.grantPermit()
    #expect(early == nil)
    let answers = (1...3).map { waiters.acquirePermit(orAdd: $0) }
    #expect(answers == [true, false, false])
    let next = waiters.grantPermit()
    #expect(next == 2)
    waiters.remove { $0 == 3 }
    let nobody = waiters.grantPermit()
    #expect(nobody == nil)
    #expect(waiters.permits == 1)
  }

  @Test("A waiter in the middle of the queue may leave")
  func theMiddleOfTheLineMayLeave() {
    var waiters = SemaphoreWaiters<Int>()
    for number in 0..<9 { _ = waiters.acquirePermit(orAdd: number) }
    waiters.remove { $0 == 4 }
    let order = (0..<8).map { _ in waiters.grantPermit() }
    #expect(order == [0, 1, 2, 3, 5, 6, 7, 8])
  }
}
