internal import IOChannelsSystem

/// A point in time on the wall clock, as used by calendars and other machines.
///
/// A deadline counts nanoseconds from the start of the year 1970, and follows changes of the clock
/// (<doc:Rules#S96>). Arithmetic saturates (<doc:Rules#S91>): a result from the year 2262 on is
/// `distantFuture`, which no wait and no timer reaches. A result before 1970 is the start of 1970.
public struct WallDeadline: Hashable, Sendable {
  package let point: PointInTime

  init(_ point: PointInTime) {
    self.point = point
  }

  /// A deadline later than every other one, which is never reached.
  public static let distantFuture = WallDeadline(.never)

  /// Returns the current time, without a system call.
  public static func now() -> WallDeadline {
    WallDeadline(PointInTime(nanoseconds: KernelClock.wall.nanoseconds))
  }

  /// Creates a deadline from the two parts of a `timespec`.
  ///
  /// The parts may have any value, also a negative one; a sum out of range saturates.
  public init(seconds: Int64, nanoseconds: Int64) {
    self.init(PointInTime(seconds: seconds, nanoseconds: nanoseconds))
  }

  /// The nanoseconds since the start of 1970; for the distant future the largest number.
  public var nanoseconds: UInt64 {
    point.isNever ? .max : UInt64(point.nanoseconds)
  }
}

extension WallDeadline: Comparable {
  /// Returns whether a deadline is earlier than another.
  public static func < (left: WallDeadline, right: WallDeadline) -> Bool {
    left.point < right.point
  }

  /// Returns the time from this deadline to another one, negative if the other one is earlier.
  ///
  /// The distance to the distant future is 2^63 - 1 nanoseconds (about 292 years), and the distance
  /// from it to any other deadline is the negative of that. Between two distant futures it is 0.
  public func distance(to other: WallDeadline) -> Duration {
    .nanoseconds(point.distance(to: other.point))
  }
}

extension WallDeadline {
  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  ///
  /// Fractions of a nanosecond are dropped. The distant future does not change.
  public func advanced(by time: Duration) -> WallDeadline {
    WallDeadline(point.advanced(by: time.wholeNanoseconds))
  }

  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  public static func + (deadline: WallDeadline, time: Duration) -> WallDeadline {
    deadline.advanced(by: time)
  }

  /// Returns a deadline that is earlier by a duration, limited to the range of deadlines.
  public static func - (deadline: WallDeadline, time: Duration) -> WallDeadline {
    WallDeadline(deadline.point.advanced(by: time.negatedNanoseconds))
  }

  /// Returns a deadline that is later by a number of seconds, limited to the range of deadlines.
  ///
  /// A value that is not a number yields the distant future.
  public static func + (deadline: WallDeadline, seconds: Double) -> WallDeadline {
    deadline + Duration(saturatingSeconds: seconds)
  }

  /// Returns a deadline that is earlier by a number of seconds, limited to the range of deadlines.
  ///
  /// A value that is not a number yields the distant future.
  public static func - (deadline: WallDeadline, seconds: Double) -> WallDeadline {
    deadline + Duration(saturatingSeconds: -seconds)
  }

  /// Returns the nanoseconds until the deadline: 0 once it has passed, the largest number for the
  /// distant future.
  ///
  /// The clock may be set meanwhile, so a long wait checks it again from time to time.
  package func nanosecondsLeft() -> Int64 {
    max(0, WallDeadline.now().point.distance(to: point))
  }
}
