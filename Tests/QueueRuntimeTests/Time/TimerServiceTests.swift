import IOChannelsLocks
import IOChannelsSystem
import Testing

@testable import QueueRuntime

@Suite("Timer service")
struct TimerServiceTests {
  @Test("Timers fire in order and not before their times")
  func firesInOrderAndNotBeforeTheTime() {
    // S92
    let bench = TimerBench()
    bench.arm("b", at: 200)
    bench.arm("a", at: 100)
    bench.alarm.settle()
    bench.alarm.set(now: 99)
    #expect(bench.news() == [])
    bench.alarm.set(now: 100)
    #expect(bench.news() == [.fired("a")])
    bench.arm("d", at: 400)
    bench.arm("c", at: 300)
    bench.arm("past", at: 5)
    bench.alarm.settle()
    #expect(bench.news() == [.fired("past")])
    bench.alarm.set(now: 1000)
    #expect(bench.news() == [.fired("b"), .fired("c"), .fired("d")])
    #expect(bench.service.count == 0)
    bench.end()
  }

  @Test("The distant future never comes")
  func theDistantFutureNeverComes() {
    // S92
    let bench = TimerBench()
    let token = bench.arm("never", at: .max)
    bench.arm("a", at: 100)
    bench.alarm.settle()
    bench.alarm.set(now: .max - 1)
    #expect(bench.news() == [.fired("a")])
    #expect(bench.service.count == 1)
    let isQuiet = bench.service.cancel(token)
    #expect(isQuiet)
    bench.end()
  }

  @Test("Timers within their leeways share a wake")
  func timersWithinTheirLeewaysShareAWake() {
    // S93, S94
    let bench = TimerBench()
    let start = Deadline(uptimeNanoseconds: 1_000_000_000)
    for step in 0..<100 {
      _ = bench.service.arm(at: start + .milliseconds(step), action: bench.action("\(step)"))
    }
    bench.alarm.settle()
    #expect(bench.alarm.history.last?.nanoseconds == 1_099_000_000)
    let before = bench.service.counts
    bench.alarm.set(now: 1_098_999_999)
    #expect(bench.news() == [])
    bench.alarm.set(now: 1_099_000_000)
    #expect(bench.news() == (0..<100).map { TimerCall.fired("\($0)") })
    let after = bench.service.counts
    #expect(after.wakes - before.wakes == 1)
    #expect(after.fires - before.fires == 100)
    bench.end()
  }

  @Test("A lone timer fires on time")
  func aLoneTimerFiresOnTime() {
    // S93
    let bench = TimerBench()
    let start = Deadline(uptimeNanoseconds: 3_000_000_000)
    _ = bench.service.arm(at: start, action: bench.action("lone"))
    bench.alarm.settle()
    #expect(bench.alarm.history.last?.nanoseconds == 3_000_000_000)
    bench.alarm.set(now: 3_000_000_000)
    #expect(bench.news() == [.fired("lone")])
    // One without leeway wakes the thread when it has to, and others go along or do not wait.
    _ = bench.service.arm(at: start + .seconds(10), action: bench.action("early"))
    _ = bench.service.arm(at: start + .seconds(10.5), leeway: .zero, action: bench.action("exact"))
    _ = bench.service.arm(at: start + .seconds(11.5), action: bench.action("late"))
    bench.alarm.settle()
    bench.alarm.set(now: 13_499_999_999)
    #expect(bench.news() == [])
    bench.alarm.set(now: 13_500_000_000)
    #expect(bench.news() == [.fired("early"), .fired("exact")])
    bench.alarm.set(now: 14_500_000_000)
    #expect(bench.news() == [.fired("late")])
    bench.end()
  }

  @Test("A timer does not wait for one that was cancelled")
  func aTimerDoesNotWaitForOneThatWasCancelled() {
    // S93, S94
    let bench = TimerBench()
    let start = Deadline(uptimeNanoseconds: 1_000)
    _ = bench.service.arm(at: start, leeway: .nanoseconds(500), action: bench.action("stays"))
    let goes = bench.service.arm(at: start + .nanoseconds(300), action: bench.action("goes"))
    bench.alarm.settle()
    #expect(bench.alarm.history.last?.nanoseconds == 1_300)
    bench.service.cancel(goes)
    #expect(bench.alarm.history.last?.nanoseconds == 1_000)
    let moves = bench.service.arm(at: start + .nanoseconds(400), action: bench.action("moves"))
    #expect(bench.alarm.history.last?.nanoseconds == 1_400)
    _ = bench.service.rearm(moves, at: start + .seconds(1))
    #expect(bench.alarm.history.last?.nanoseconds == 1_000)
    bench.alarm.set(now: 1_000)
    #expect(bench.news() == [.fired("stays")])
    bench.alarm.set(now: 2_000_000_000)
    #expect(bench.news() == [.fired("moves")])
    bench.end()
  }

  @Test("A repeating timer keeps its grid and counts missed fires")
  func aRepeatingTimerKeepsItsGridAndCountsWhatItMissed() {
    // S95
    let bench = TimerBench()
    let token = bench.arm("r", at: 100, every: 10)
    bench.alarm.settle()
    bench.alarm.set(now: 100)
    bench.alarm.set(now: 109)
    bench.alarm.set(now: 115)
    bench.alarm.set(now: 149)
    #expect(bench.news() == [.fired("r"), .fired("r"), .fired("r", times: 3)])
    #expect(bench.alarm.history.last?.nanoseconds == 150)
    let isKnown = bench.service.rearm(token, at: Deadline(uptimeNanoseconds: 500), leeway: .zero)
    #expect(isKnown)
    bench.alarm.set(now: 499)
    #expect(bench.news() == [])
    bench.alarm.set(now: 600)
    #expect(bench.news() == [.fired("r")])
    let isStillKnown = bench.service.rearm(token, at: .now())
    #expect(!isStillKnown)
    bench.end()
  }

  @Test("Wall timers follow the clock and others do not")
  func wallTimersFollowTheClockAndOthersDoNot() {
    // S96, F23
    let bench = TimerBench()
    let wall = WallDeadline(seconds: 0, nanoseconds: 100)
    _ = bench.service.arm(atWall: wall, leeway: .zero, action: bench.action("wall"))
    bench.arm("uptime", at: 100)
    let boot = Deadline(bootTimeNanoseconds: 100)
    _ = bench.service.arm(at: boot, leeway: .zero, action: bench.action("boot"))
    bench.alarm.settle()
    bench.alarm.set(.wall, now: 99)
    bench.alarm.set(.wall, now: 10)
    bench.alarm.set(.wall, now: 5000)
    #expect(bench.news() == [.fired("wall")])
    bench.alarm.set(.bootTime, now: 5000)
    #expect(bench.news() == [.fired("boot")])
    bench.alarm.set(.uptime, now: 100)
    #expect(bench.news() == [.fired("uptime")])
    bench.end()
  }

  @Test("A timer can be moved to another clock")
  func aTimerCanBeMovedToAnotherClock() {
    let bench = TimerBench()
    let token = bench.arm("t", at: 100)
    let wall = WallDeadline(seconds: 0, nanoseconds: 50)
    let isKnown = bench.service.rearm(token, atWall: wall, leeway: .zero)
    #expect(isKnown)
    bench.alarm.settle()
    bench.alarm.set(now: 1000)
    #expect(bench.news() == [])
    bench.alarm.set(.wall, now: 50)
    #expect(bench.news() == [.fired("t")])
    bench.end()
  }

  @Test("A cancelled timer never fires")
  func aCancelledTimerNeverFires() {
    // S97
    let bench = TimerBench()
    let first = bench.arm("first", at: 100)
    let second = bench.arm("second", at: 200, every: 5)
    bench.arm("third", at: 300)
    let isQuiet = bench.service.cancel(first)
    let isQuietAgain = bench.service.cancel(first)
    #expect(isQuiet && !isQuietAgain)
    bench.alarm.settle()
    bench.alarm.set(now: 200)
    let isQuietBetween = bench.service.cancel(second)
    #expect(isQuietBetween)
    bench.alarm.set(now: 1000)
    #expect(bench.news() == [.fired("second"), .fired("third")])
    bench.end()
  }

  @Test("Actions may arm and cancel timers")
  func actionsMayArmAndCancelTimers() {
    let bench = TimerBench()
    let own = BargingLock<TimerToken?>(nil)
    let ownIsQuiet = BargingLock<Bool?>(nil)
    let token = bench.service.arm(
      at: Deadline(uptimeNanoseconds: 10),
      leeway: .zero,
      repeating: .nanoseconds(10)
    ) { [unowned bench] fires in
      bench.arm("inner", at: 25)
      // Its own action is being called, so it is not quiet, but it is gone.
      let isQuiet = own.withLock { $0 }.map { bench.service.cancel($0) }
      ownIsQuiet.withLock { $0 = isQuiet }
      bench.fired.withLock { $0.append(.fired("outer", times: fires)) }
    }
    own.withLock { $0 = token }
    bench.alarm.settle()
    bench.alarm.set(now: 20)
    #expect(bench.news() == [.fired("outer", times: 2)])
    #expect(ownIsQuiet.withLock { $0 } == false)
    bench.alarm.set(now: 100)
    #expect(bench.news() == [.fired("inner")])
    bench.end()
  }

  @Test("Captured objects are released outside of the lock")
  func whatAnActionHoldsIsLetGoOfOutsideTheLock() {
    final class Held: Sendable {
      let service: TimerService
      let released: BargingLock<Int>

      init(_ service: TimerService, _ released: consuming BargingLock<Int>) {
        self.service = service
        self.released = released
      }

      // It would wait for ever under the lock.
      deinit { _ = service.count }
    }
    let bench = TimerBench()
    func arm(at time: UInt64) -> (TimerToken, () -> Bool) {
      let held = Held(bench.service, BargingLock(0))
      let token = bench.service.arm(at: Deadline(uptimeNanoseconds: time), leeway: .zero) { _ in
        _ = held.service
      }
      return (token, { [weak held] in held == nil })
    }
    let (_, firedIsReleased) = arm(at: 10)
    let (token, cancelledIsReleased) = arm(at: 1000)
    #expect(!firedIsReleased() && !cancelledIsReleased())
    bench.service.cancel(token)
    #expect(cancelledIsReleased())
    bench.alarm.settle()
    bench.alarm.set(now: 10)
    #expect(firedIsReleased())
    bench.end()
  }
}
