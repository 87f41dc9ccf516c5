import QueueRuntime
import Testing

@Suite("Waits with a deadline (S85 to S87, S92)")
struct WaitTests {
  /// One of the three things that can be waited for with a deadline, not there yet.
  enum Thing: CaseIterable, Sendable {
    case group, permit, item

    /// How to wait, how to wait by the wall clock, and how to end the wait.
    var means: (Wait, WallWait, @Sendable () -> Void) {
      switch self {
      case .group:
        let group = WorkGroup()
        group.enter()
        return (group.wait(timeout:), group.wait(wallTimeout:), { group.leave() })
      case .permit:
        let semaphore = CountingSemaphore(value: 0)
        return (
          semaphore.wait(timeout:), semaphore.wait(wallTimeout:), { _ = semaphore.signal() }
        )
      case .item:
        let item = WorkItem {}
        return (item.wait(timeout:), item.wait(wallTimeout:), { item.perform() })
      }
    }

    typealias Wait = @Sendable (Deadline) -> WaitResult
    typealias WallWait = @Sendable (WallDeadline) -> WaitResult
  }

  @Test("A wait ends with its deadline and not before", arguments: Thing.allCases)
  func aWaitEndsWithItsDeadlineAndNotBefore(thing: Thing) {
    let (wait, wallWait, end) = thing.means
    for time in [Duration.milliseconds(1), .milliseconds(4)] {
      for clock in [Deadline.Clock.uptime, .bootTime] {
        let deadline = Deadline.now(clock) + time
        #expect(wait(deadline) == .timedOut)
        #expect(Deadline.now(clock) >= deadline)
      }
      let deadline = WallDeadline.now() + time
      #expect(wallWait(deadline) == .timedOut)
      #expect(WallDeadline.now() >= deadline)
    }
    end()
  }

  @Test("A wait with a passed deadline only checks", arguments: Thing.allCases)
  func aPassedDeadlineOnlyAsks(thing: Thing) {
    let (wait, wallWait, end) = thing.means
    #expect(wait(.now()) == .timedOut)
    #expect(wait(.now(.bootTime) - .seconds(1)) == .timedOut)
    #expect(wait(Deadline(uptimeNanoseconds: 0)) == .timedOut)
    #expect(wallWait(.now() - .seconds(1)) == .timedOut)
    end()
    #expect(wait(.now() - .seconds(1)) == .success)
  }

  @Test("An available permit needs no time on the wall clock", arguments: Thing.allCases)
  func whatIsThereNeedsNoTimeOnTheWallClock(thing: Thing) {
    let (_, wallWait, end) = thing.means
    end()
    #expect(wallWait(.now() - .seconds(1)) == .success)
  }

  // The arguments are made long before their turn comes.
  @Test("A wait ends with its event", arguments: Thing.allCases, [Duration.seconds(600), nil])
  func aWaitEndsWithWhatItWaitsFor(thing: Thing, time: Duration?) {
    let (wait, _, end) = thing.means
    let deadline = time.map { .now(.bootTime) + $0 } ?? Deadline.distantFuture
    WorkQueue.global().asyncAfter(deadline: .now() + .milliseconds(2), execute: end)
    #expect(wait(deadline) == .success)
  }

  @Test(
    "A wait by the wall clock ends with its event",
    arguments: Thing.allCases,
    [Duration.seconds(600), nil]
  )
  func aWaitByTheWallClockEndsWithWhatItWaitsFor(thing: Thing, time: Duration?) {
    let (_, wallWait, end) = thing.means
    let deadline = time.map { .now() + $0 } ?? WallDeadline.distantFuture
    WorkQueue.global().asyncAfter(deadline: .now() + .milliseconds(2), execute: end)
    #expect(wallWait(deadline) == .success)
  }

  @Test("A wait that timed out does not count as the wait for an item")
  func aWaitThatTimedOutIsNotTheOneOfAnItem() {
    let item = WorkItem {}
    for _ in 0..<3 { #expect(item.wait(timeout: .now() + .microseconds(10)) == .timedOut) }
    item.perform()
    #expect(item.wait(timeout: .distantFuture) == .success)
  }

  @Test("A permit that no waiter got stays")
  func aPermitThatNobodyGotStays() {
    let semaphore = CountingSemaphore(value: 0)
    #expect(semaphore.wait(timeout: .now() + .microseconds(100)) == .timedOut)
    #expect(semaphore.signal() == 0)
    #expect(semaphore.wait(timeout: .now()) == .success)
  }
}
