import QueueRuntime
import Testing

@Suite("Intervals in the form of Dispatch (S220)")
struct ClockIntervalTests {
  private let early = Deadline(uptimeNanoseconds: 5)
  private let late = Deadline(uptimeNanoseconds: 12)

  @Test("An interval moves a deadline as a duration does")
  func moves() {
    let pairs: [(ClockInterval, Duration)] = [
      (.seconds(3), .seconds(3)), (.milliseconds(-4), .milliseconds(-4)),
      (.microseconds(5), .microseconds(5)), (.nanoseconds(6), .nanoseconds(6)),
    ]
    let deadline = Deadline(bootTimeNanoseconds: 90_000_000_000)
    let wall = WallDeadline(seconds: 90, nanoseconds: 0)
    for (interval, duration) in pairs {
      #expect(deadline + interval == deadline + duration)
      #expect(deadline - interval == deadline - duration)
      #expect(deadline.advanced(by: interval) == deadline.advanced(by: duration))
      #expect(wall + interval == wall + duration)
      #expect(wall - interval == wall - duration)
      #expect(wall.advanced(by: interval) == wall.advanced(by: duration))
    }
    #expect(deadline.advanced(by: .never) == .distantFuture)
    #expect(wall.advanced(by: .never) == .distantFuture)
  }

  @Test("A distance is an interval where one is asked for")
  func distances() {
    let forward: ClockInterval = early.distance(to: late)
    let back: ClockInterval = late.distance(to: early)
    let endless: ClockInterval = early.distance(to: .distantFuture)
    let none: ClockInterval = Deadline.distantFuture.distance(to: .distantFuture)
    #expect(forward == .nanoseconds(7) && back == .nanoseconds(-7))
    #expect(endless == .never && none == .nanoseconds(0))
    let fromTheEnd: ClockInterval = WallDeadline.distantFuture.distance(to: .now())
    #expect(fromTheEnd == .nanoseconds(-.max))
    let duration: Duration = early.distance(to: late)
    #expect(duration == .nanoseconds(7))
  }

  @Test("Intervals of equal length are equal, and never equals itself only")
  func equality() {
    #expect(ClockInterval.seconds(2) == .milliseconds(2_000))
    #expect(ClockInterval.microseconds(1) != .nanoseconds(1_001))
    #expect(ClockInterval.seconds(.max) == .milliseconds(.max))
    #expect(ClockInterval.never == .never && ClockInterval.never != .seconds(.max))
  }
}
