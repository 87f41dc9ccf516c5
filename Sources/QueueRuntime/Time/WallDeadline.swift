internal import IOChannelsSystem

/// A point in time on the wall clock, as used by calendars and other machines.
///
/// A deadline counts nanoseconds from the start of the year 1970, and follows changes of the clock
/// (<doc:Rules#S96>). Arithmetic saturates as in Dispatch (<doc:Rules#S91>): a result from the year
/// 2116 on is `distantFuture`, which no wait and no timer reaches. A result before 1970 is 2
/// nanoseconds after the start of 1970, which has passed and stands for the present in arithmetic.
public struct WallDeadline: Hashable, Sendable {
  /// The first result of arithmetic, in nanoseconds.
  private static let first: UInt64 = 2

  private let value: DeadlineValue

  init(_ value: DeadlineValue) {
    self.value = value
  }

  /// A deadline later than every other one, which is never reached.
  public static let distantFuture = WallDeadline(.distantFuture)

  /// Returns the current time, without a system call.
  public static func now() -> WallDeadline {
    WallDeadline(DeadlineValue(on: .wall))
  }

  /// Creates a deadline from the two parts of a `timespec`.
  ///
  /// The parts may have any value, also a negative one; a sum out of range saturates.
  public init(seconds: Int64, nanoseconds: Int64) {
    self.init(DeadlineValue(seconds: seconds, nanoseconds: nanoseconds))
  }

  /// The nanoseconds since the start of 1970; for the distant future the largest number.
  public var nanoseconds: UInt64 { value.nanoseconds }

  /// The number with which Dispatch stores the same time.
  ///
  /// It is 2^64 less the nanoseconds, of which there are at least 2. For the distant future it is
  /// the largest number.
  public var rawValue: UInt64 {
    value.isDistantFuture ? .max : 0 &- max(nanoseconds, Self.first)
  }
}

extension WallDeadline: Comparable {
  /// Returns whether a deadline is earlier than another.
  public static func < (left: WallDeadline, right: WallDeadline) -> Bool {
    left.value < right.value
  }

  /// Returns the time from this deadline to another one, negative if the other one is earlier.
  ///
  /// The distance is limited to 2^63 - 1 nanoseconds (about 292 years) either way. Every distance
  /// to the distant future is that long, and so is every distance from it, as a negative number.
  /// Between two distant futures it is 0.
  public func distance(to other: WallDeadline) -> Duration {
    .nanoseconds(value.distance(to: other.value))
  }
}

extension WallDeadline {
  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  ///
  /// Fractions of a nanosecond are dropped. The distant future does not change.
  public func advanced(by time: Duration) -> WallDeadline {
    advanced(by: time.wholeNanoseconds)
  }

  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  public static func + (deadline: WallDeadline, time: Duration) -> WallDeadline {
    deadline.advanced(by: time)
  }

  /// Returns a deadline that is earlier by a duration, limited to the range of deadlines.
  public static func - (deadline: WallDeadline, time: Duration) -> WallDeadline {
    deadline.advanced(by: time.negatedNanoseconds)
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
    max(0, WallDeadline.now().value.distance(to: value))
  }
}

extension WallDeadline {
  /// The deadline as an internal point of the clock.
  package var point: PointInTime { PointInTime(value) }

  /// The first time of a timer: the deadline, or the present for the first result of arithmetic.
  package var firstFire: PointInTime { PointInTime(start) }

  /// The value from which arithmetic begins.
  ///
  /// As in Dispatch, the first result of arithmetic stands for the present.
  private var start: DeadlineValue {
    nanoseconds == Self.first ? DeadlineValue(on: .wall) : value
  }

  /// Returns a deadline that is later by nanoseconds.
  func advanced(by nanoseconds: Int64) -> WallDeadline {
    WallDeadline(start.advanced(by: nanoseconds, first: Self.first))
  }
}
