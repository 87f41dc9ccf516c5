import IOChannelsSystem
import Testing

@testable import QueueRuntime

@Suite("Timer schedule")
struct TimerScheduleTests {
  private func schedule(
    _ time: Int64,
    interval: Duration? = nil,
    leeway: Duration = .zero
  ) -> TimerSchedule {
    let point = PointInTime(nanoseconds: time)
    return TimerSchedule(
      clock: .uptime,
      time: point,
      interval: interval?.wholeNanoseconds,
      leeway: leeway.wholeNanoseconds
    )
  }

  @Test("The leeway is cut to half the interval")
  func theLeewayIsCutToHalfTheInterval() {
    // S93
    #expect(schedule(0, leeway: .seconds(9)).leeway == 9_000_000_000)
    #expect(schedule(0, interval: .nanoseconds(9), leeway: .seconds(9)).leeway == 4)
    #expect(schedule(0, interval: .nanoseconds(9), leeway: .nanoseconds(3)).leeway == 3)
    #expect(schedule(0, leeway: .seconds(-1)).leeway == 0)
    #expect(schedule(0, leeway: Duration(attoseconds: .max)).leeway == .max)
  }

  @Test("The default leeway is a tenth of the time left")
  func theDefaultLeewayIsATenthOfTheTimeLeft() {
    // S93
    func leeway(_ now: Int64, _ time: Int64) -> Duration {
      let left = PointInTime(nanoseconds: now).distance(to: PointInTime(nanoseconds: time))
      return .nanoseconds(TimerSchedule.leeway(ofTimeLeft: left))
    }
    #expect(leeway(0, 1_000_000_000) == .milliseconds(100))
    #expect(leeway(500_000_000, 1_000_000_000) == .milliseconds(50))
    #expect(leeway(0, 10_000_000) == .milliseconds(1))
    #expect(leeway(0, 10_000_010) == .nanoseconds(1_000_001))
    #expect(leeway(5_000_000_000, 0) == .milliseconds(1))
    #expect(leeway(0, 600_000_000_000) == .seconds(60))
    #expect(leeway(0, 700_000_000_000) == .seconds(60))
    #expect(leeway(0, .max) == .seconds(60))
  }

  @Test("An interval is at least a nanosecond")
  func anIntervalIsAtLeastANanosecond() {
    // S95
    #expect(schedule(0, interval: .zero).interval == 1)
    #expect(schedule(0, interval: .seconds(-1)).interval == 1)
    #expect(schedule(0, interval: .nanoseconds(Int64.max)).interval == nil)
    #expect(schedule(0, interval: .nanoseconds(Int64.max - 1)).interval == Int64.max - 1)
    #expect(schedule(0, interval: Duration(attoseconds: .max)).interval == nil)
  }

  @Test("A schedule repeats on its grid and counts missed fires")
  func repeatsOnTheGridAndCountsWhatWasMissed() {
    // S95
    for interval in Int64(1)...7 {
      for start in Int64(0)...5 {
        var timer = schedule(start, interval: .nanoseconds(interval))
        var counted = 0
        for now in start...60 where timer.time.nanoseconds <= now && now % 3 == 0 {
          counted += timer.fire(at: PointInTime(nanoseconds: now))
          #expect(timer.time.nanoseconds > now)
          #expect(timer.time.nanoseconds - now <= interval)
          #expect((timer.time.nanoseconds - start) % interval == 0)
          #expect(counted == Int((now - start) / interval) + 1)
        }
        #expect(counted > 0)
      }
    }
  }

  @Test("A schedule without an interval fires once")
  func firesOnceWithoutAnInterval() {
    var timer = schedule(5)
    let fires = timer.fire(at: PointInTime(nanoseconds: 500))
    #expect(fires == 1)
    #expect(timer.time.isNever)
  }

  @Test("A grid ends at the end of time")
  func aGridEndsWhereTimeEnds() {
    var timer = schedule(10, interval: .nanoseconds(Int64.max - 1))
    let fires = timer.fire(at: PointInTime(nanoseconds: 10))
    #expect(fires == 1)
    #expect(timer.time.isNever && timer.latest.isNever)
    var late = schedule(0, interval: .nanoseconds(Int64.max / 2 + 1))
    let lateFires = late.fire(at: PointInTime(nanoseconds: .max - 1))
    #expect(lateFires == 2 && late.time.isNever)
  }

  @Test("A timer with an endless leeway fires")
  func aLeewayWithoutEndDoesNotMakeATimerNeverFire() {
    let timer = schedule(5, leeway: Duration(attoseconds: .max))
    #expect(timer.latest.nanoseconds == .max - 500_000 + 5)
    let late = schedule(.max - 9, leeway: Duration(attoseconds: .max))
    #expect(late.latest.nanoseconds == .max - 1)
    #expect(schedule(.max, leeway: .zero).latest.isNever)
    #expect(schedule(.max - 1, leeway: .zero).latest == schedule(.max - 1).time)
    #expect(schedule(5, leeway: .nanoseconds(3)).latest.nanoseconds == 8)
  }

  @Test("A fiftieth of a leeway is left for the wake")
  func aFiftiethOfALeewayIsLeftForTheWake() {
    #expect(schedule(0, leeway: .nanoseconds(1_000)).latest.nanoseconds == 980)
    #expect(schedule(0, leeway: .seconds(1)).latest.nanoseconds == 999_500_000)
  }
}
