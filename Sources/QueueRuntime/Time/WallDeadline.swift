internal import SystemCalls

/// A point in time on the wall clock, as calendars and other machines know it.
///
/// It counts nanoseconds from the start of the year 1970, and moves when somebody sets the clock
/// (S96). Arithmetic saturates: what comes out too late, from the year 2262 on, is
/// `distantFuture`, which no wait and no timer reaches, and what comes out before 1970 is its
/// start (S91).
public struct WallDeadline: Hashable, Sendable {
  package let point: PointInTime

  init(_ point: PointInTime) {
    self.point = point
  }

  /// Later than every other deadline, and never reached.
  public static let distantFuture = WallDeadline(.never)

  /// The present, without a system call.
  public static func now() -> WallDeadline {
    WallDeadline(PointInTime(nanoseconds: KernelClock.wall.nanoseconds))
  }

  /// Makes a point of the two parts of a `timespec`.
  ///
  /// The parts are added whatever they are; a sum out of range saturates (S91).
  public init(seconds: Int64, nanoseconds: Int64) {
    self.init(PointInTime(seconds: seconds, nanoseconds: nanoseconds))
  }

  /// The nanoseconds since the start of 1970; for the distant future the largest number.
  public var nanoseconds: UInt64 {
    point.isNever ? .max : UInt64(point.nanoseconds)
  }
}

extension WallDeadline: Comparable {
  /// Whether a deadline is earlier than another.
  public static func < (left: WallDeadline, right: WallDeadline) -> Bool {
    left.point < right.point
  }

  /// The time from here to another deadline, negative if that is earlier.
  ///
  /// To the distant future it is 2^63 - 1 nanoseconds, about 292 years, and from it as much
  /// before; from it to itself it is 0.
  public func distance(to other: WallDeadline) -> Duration {
    .nanoseconds(point.distance(to: other.point))
  }
}

extension WallDeadline {
  /// The deadline so much later, saturated (S91).
  ///
  /// Parts of a nanosecond are dropped. The distant future stays what it is.
  public func advanced(by time: Duration) -> WallDeadline {
    WallDeadline(point.advanced(by: time.wholeNanoseconds))
  }

  /// The deadline so much later, saturated (S91).
  public static func + (deadline: WallDeadline, time: Duration) -> WallDeadline {
    deadline.advanced(by: time)
  }

  /// The deadline so much earlier, saturated (S91).
  public static func - (deadline: WallDeadline, time: Duration) -> WallDeadline {
    WallDeadline(deadline.point.advanced(by: time.negatedNanoseconds))
  }

  /// The deadline so many seconds later, saturated (S91).
  ///
  /// What is not a number gives the distant future.
  public static func + (deadline: WallDeadline, seconds: Double) -> WallDeadline {
    deadline + Duration(saturatingSeconds: seconds)
  }

  /// The deadline so many seconds earlier, saturated (S91).
  ///
  /// What is not a number gives the distant future.
  public static func - (deadline: WallDeadline, seconds: Double) -> WallDeadline {
    deadline + Duration(saturatingSeconds: -seconds)
  }

  /// The nanoseconds until the deadline: 0 once it has passed, the largest number for never.
  ///
  /// Somebody may set the clock meanwhile, so a long wait asks again from time to time.
  package func nanosecondsLeft() -> Int64 {
    max(0, WallDeadline.now().point.distance(to: point))
  }
}
