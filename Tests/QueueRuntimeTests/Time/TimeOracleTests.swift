import Dispatch
import Glibc
import QueueRuntime
import Testing

/// Compares deadlines with the times of Dispatch, at the ends of their range too.
///
/// Dispatch stores all times in one number. From 2^63 on it takes an uptime for a time of another
/// clock, so the table has no such points but for those that arithmetic leaves alone.
@Suite("Times beside those of Dispatch (S91, S220)")
struct TimeOracleTests {
  private static let half = UInt64(Int64.max)

  private static let points: [UInt64] = [
    0, 1, 2, 3, 1_000, 1_000_000_000, 1 << 61, 1 << 62 - 3, 1 << 62 - 2, 1 << 62 - 1, 1 << 62,
    1 << 62 + 1, half - 1, half, .max,
  ]

  /// Points of the wall clock, without those that Dispatch takes for the distant future.
  private static let wallPoints: [UInt64] = [
    2, 3, 1_000, 1_000_000_000, 1 << 61, 1 << 62 - 3, 1 << 62 - 2, 1 << 62 - 1, 1 << 62,
  ]

  /// Numbers of a unit; none gives 1 ns of the wall clock, which Dispatch takes for never.
  private static let counts: [Int] = [
    0, 1, -1, 7, -7, 999_999_997, -1_000_000_001, 4_611_686_018, 1 << 61, -(1 << 61), 1 << 62 - 5,
    .max - 1, .max, -.max, .min,
  ]

  /// Every interval of the table in both forms.
  private static let intervals: [(own: ClockInterval, other: DispatchTimeInterval)] =
    counts.flatMap { count -> [(ClockInterval, DispatchTimeInterval)] in
      [
        (.seconds(count), .seconds(count)), (.milliseconds(count), .milliseconds(count)),
        (.microseconds(count), .microseconds(count)), (.nanoseconds(count), .nanoseconds(count)),
      ]
    } + [(.never, .never)]

  private static let seconds: [Double] = [
    0, 1, -1, 0.5, -2.25, 1e-9, 1.9e-9, 1e-10, 1e9, -1e9, 4.611686018e9, 5e9, 9.2e9, 9.3e9, -9.3e9,
    1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
  ]

  /// Compares a result with that of Dispatch from just before and just after it.
  ///
  /// The two differ only where the result depends on the present.
  private func compare(
    _ own: @autoclosure () -> UInt64,
    _ other: @autoclosure () -> UInt64,
    _ comment: @autoclosure () -> String
  ) {
    let before = other()
    let result = own()
    let after = other()
    let isBetween = min(before, after) <= result && result <= max(before, after)
    #expect(isBetween, "\(comment()): \(result), and \(before) in Dispatch")
  }

  @Test("A point that the program gives is kept")
  func kept() {
    for point in Self.points + [Self.half + 1, 3 << 62, .max - 2, .max - 1] {
      let own = Deadline(uptimeNanoseconds: point)
      let other = DispatchTime(uptimeNanoseconds: point)
      #expect(own.rawValue == other.rawValue)
      #expect(own.uptimeNanoseconds == other.uptimeNanoseconds)
      #expect((own == .distantFuture) == (other == .distantFuture))
    }
    for point in Self.wallPoints + [1 << 62 + 5, Self.half] {
      #expect(wall(point).rawValue == dispatchWall(point).rawValue)
    }
    #expect(Deadline.distantFuture.rawValue == DispatchTime.distantFuture.rawValue)
    #expect(WallDeadline.distantFuture.rawValue == DispatchWallTime.distantFuture.rawValue)
    compare(Deadline.now().rawValue, DispatchTime.now().rawValue, "now")
    compare(WallDeadline.now().rawValue, DispatchWallTime.now().rawValue, "now on the wall clock")
  }

  @Test("An interval added or subtracted has the result of Dispatch")
  func intervals() {
    for point in Self.points {
      let own = Deadline(uptimeNanoseconds: point)
      let other = DispatchTime(uptimeNanoseconds: point)
      for interval in Self.intervals {
        let text = "\(point) and \(interval.own)"
        compare((own + interval.own).rawValue, (other + interval.other).rawValue, text)
        // Dispatch cannot negate the smallest number.
        if isSmallest(interval.own) { continue }
        compare((own - interval.own).rawValue, (other - interval.other).rawValue, text)
      }
    }
  }

  @Test("An interval added to a wall time has the result of Dispatch")
  func wallIntervals() {
    for point in Self.wallPoints {
      let (own, other) = (wall(point), dispatchWall(point))
      for interval in Self.intervals {
        let text = "\(point) of the wall clock and \(interval.own)"
        compare((own + interval.own).rawValue, (other + interval.other).rawValue, text)
        if isSmallest(interval.own) { continue }
        compare((own - interval.own).rawValue, (other - interval.other).rawValue, text)
      }
    }
  }

  @Test("Seconds added or subtracted have the result of Dispatch")
  func seconds() {
    for seconds in Self.seconds {
      for point in Self.points {
        let own = Deadline(uptimeNanoseconds: point)
        let other = DispatchTime(uptimeNanoseconds: point)
        let text = "\(point) and \(seconds) s"
        compare((own + seconds).rawValue, (other + seconds).rawValue, text)
        compare((own - seconds).rawValue, (other - seconds).rawValue, text)
      }
      for point in Self.wallPoints {
        let (own, other) = (wall(point), dispatchWall(point))
        let text = "\(point) of the wall clock and \(seconds) s"
        compare((own + seconds).rawValue, (other + seconds).rawValue, text)
        compare((own - seconds).rawValue, (other - seconds).rawValue, text)
      }
    }
    #expect((Deadline.now() - .infinity).uptimeNanoseconds == 1)
  }

  @Test("The order of times is that of Dispatch")
  func order() {
    let points = Self.points + [Self.half + 1, .max - 1]
    for left in points {
      for right in points {
        let own = Deadline(uptimeNanoseconds: left) < Deadline(uptimeNanoseconds: right)
        let other = DispatchTime(uptimeNanoseconds: left) < DispatchTime(uptimeNanoseconds: right)
        #expect(own == other, "\(left) and \(right)")
      }
    }
    for left in Self.wallPoints {
      for right in Self.wallPoints {
        #expect((wall(left) < wall(right)) == (dispatchWall(left) < dispatchWall(right)))
      }
      #expect(wall(left) < .distantFuture && !(WallDeadline.distantFuture < wall(left)))
    }
  }

  @Test("The equality of intervals is that of Dispatch")
  func equality() {
    for left in Self.intervals {
      for right in Self.intervals {
        #expect((left.own == right.own) == (left.other == right.other), "\(left), \(right)")
      }
    }
  }

  private func isSmallest(_ interval: ClockInterval) -> Bool {
    interval == .nanoseconds(.min)
  }

  private func wall(_ nanoseconds: UInt64) -> WallDeadline {
    WallDeadline(timespec: Self.time(nanoseconds))
  }

  private func dispatchWall(_ nanoseconds: UInt64) -> DispatchWallTime {
    DispatchWallTime(timespec: Self.time(nanoseconds))
  }

  private static func time(_ nanoseconds: UInt64) -> timespec {
    clockTime(
      seconds: Int(nanoseconds / 1_000_000_000),
      nanoseconds: Int(nanoseconds % 1_000_000_000)
    )
  }
}
