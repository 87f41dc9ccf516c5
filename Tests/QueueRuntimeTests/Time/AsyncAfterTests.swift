import QueueRuntime
import Synchronization
import IOChannelsTestSupport
import Testing

@Suite("Submissions at a time (S92, S97)")
struct AsyncAfterTests {
  private let queue = WorkQueue(label: "later")

  /// Waits for a closure that is submitted and gives what it saw.
  private func seen<Value: Sendable>(
    _ look: @escaping @Sendable () -> Value,
    submit: (@escaping @Sendable () -> Void) -> Void
  ) -> Value? {
    let value = Mutex<Value?>(nil)
    let group = WorkGroup()
    group.enter()
    submit {
      let seen = look()
      value.withLock { $0 = seen }
      group.leave()
    }
    group.wait()
    return value.withLock { $0 }
  }

  @Test(
    "A closure runs on the queue and not before its deadline",
    arguments: [Deadline.Clock.uptime, .bootTime]
  )
  func aClosureRunsOnTheQueueAndNotBeforeItsDeadline(clock: Deadline.Clock) throws {
    let deadline = Deadline.now(clock) + .milliseconds(3)
    let (label, thread, time) = try #require(
      seen({ (WorkQueue.currentLabel, currentThreadName, Deadline.now(clock)) }) {
        queue.asyncAfter(deadline: deadline, execute: $0)
      }
    )
    #expect(label == "later")
    #expect(thread.hasPrefix("queue-"), "\(thread)")
    #expect(time >= deadline)
  }

  @Test("A closure does not run before its time of the wall clock")
  func aClosureRunsNotBeforeItsPointOfTheWallClock() throws {
    let deadline = WallDeadline.now() + .milliseconds(3)
    let (label, time) = try #require(
      seen({ (WorkQueue.currentLabel, WallDeadline.now()) }) {
        queue.asyncAfter(wallDeadline: deadline, execute: $0)
      }
    )
    #expect(label == "later")
    #expect(time >= deadline)
  }

  @Test("A passed deadline means now")
  func aDeadlineThatHasPassedMeansNow() {
    let log = EventLog()
    queue.suspend()
    queue.async { log.note("before") }
    queue.asyncAfter(deadline: .now() - .seconds(1)) { log.note("past") }
    queue.asyncAfter(deadline: .now()) { log.note("now") }
    queue.asyncAfter(wallDeadline: .now() - .seconds(1)) { log.note("past on the wall") }
    queue.asyncAfter(deadline: .now(), execute: WorkItem { log.note("item") })
    queue.asyncAfter(wallDeadline: .now(), execute: WorkItem { log.note("item on the wall") })
    queue.async { log.note("after") }
    #expect(queue.statistics().submittedCount == 7)
    queue.resume()
    queue.sync {}
    let order = ["before", "past", "now", "past on the wall", "item", "item on the wall", "after"]
    #expect(log.events == order)
  }

  @Test("The distant future keeps no item")
  func theDistantFutureKeepsNothing() {
    final class Token: Sendable {}
    weak var watched: Token?
    do {
      let token = Token()
      watched = token
      queue.asyncAfter(deadline: .distantFuture) { withExtendedLifetime(token) {} }
      queue.asyncAfter(wallDeadline: .distantFuture) { withExtendedLifetime(token) {} }
      let item = WorkItem { withExtendedLifetime(token) {} }
      queue.asyncAfter(deadline: .distantFuture + .seconds(-5), execute: item)
      queue.asyncAfter(wallDeadline: .distantFuture, execute: item)
    }
    #expect(watched == nil)
    #expect(queue.statistics().submittedCount == 0)
  }

  @Test("An item that was cancelled before is skipped")
  func anItemThatWasCancelledBeforeIsPassedOver() {
    let log = EventLog()
    let item = WorkItem { log.note("run") }
    queue.asyncAfter(deadline: .now() + .milliseconds(3), execute: item)
    item.cancel()
    item.wait()
    #expect(log.events == [])
    queue.sync {}
    #expect(queue.statistics().begunCount >= 1)
  }

  @Test("A cancelled item keeps no captured objects until its deadline (S326)")
  func capturesOfCancelledItems() {
    final class Token: Sendable {
      private let count: Counter
      init(_ count: Counter) { self.count = count }
      deinit { count.released.add(1, ordering: .relaxed) }
    }
    final class Counter: Sendable {
      let released = Atomic<Int>(0)
    }
    let counter = Counter()
    let group = WorkGroup()
    group.enter()
    queue.suspend()
    // Each of these keeps the item itself.
    let places: [(WorkItem) -> Void] = [
      { queue.asyncAfter(deadline: .now() + .seconds(3600), execute: $0) },
      { queue.asyncAfter(wallDeadline: .now() + .seconds(3600), execute: $0) },
      { queue.async(execute: $0) },
      { group.notify(queue: queue, work: $0) },
      { WorkItem {}.notify(queue: queue, execute: $0) },
    ]
    for (number, place) in places.enumerated() {
      let item = WorkItem { [token = Token(counter)] in withExtendedLifetime(token) {} }
      place(item)
      #expect(counter.released.load(ordering: .relaxed) == number)
      item.cancel()
      #expect(counter.released.load(ordering: .relaxed) == number + 1)
    }
    queue.resume()
    group.leave()
    queue.sync {}
  }

  @Test("An item runs at its time of the wall clock")
  func anItemRunsAtItsPointOfTheWallClock() {
    let log = EventLog()
    let item = WorkItem { log.note(WorkQueue.currentLabel) }
    queue.asyncAfter(wallDeadline: .now() + .milliseconds(3), execute: item)
    item.wait()
    #expect(log.events == ["later"])
  }

  @Test("A barrier is one after its time too")
  func aBarrierIsOneAfterItsTimeToo() {
    let queue = WorkQueue(label: "later", attributes: .concurrent)
    let isExclusive = seen({
      WorkQueue.precondition(.onQueueAsBarrier(queue))
      return true
    }) {
      queue.asyncAfter(deadline: .now() + .milliseconds(1), flags: .barrier, execute: $0)
    }
    #expect(isExclusive == true)
  }
}
