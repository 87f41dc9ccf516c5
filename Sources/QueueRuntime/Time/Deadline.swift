package import IOChannelsSystem

/// A point in time that is independent of changes of the wall clock.
///
/// A deadline counts nanoseconds from the start of the machine. Its clock either stops while the
/// machine sleeps or does not (<doc:Rules#S90>). Arithmetic saturates (<doc:Rules#S91>): a result
/// that is too late to represent is `distantFuture`, which no wait and no timer reaches. A result
/// before the clock's start is the start.
public struct Deadline: Hashable, Sendable {
  /// The clock of a deadline.
  public enum Clock: Hashable, Sendable {
    /// The time during which the machine was awake.
    case uptime
    /// The time since the machine was started, asleep or awake.
    case bootTime
  }

  /// The clock of the deadline; that of the distant future is `uptime`.
  public let clock: Clock

  package let point: PointInTime

  init(_ point: PointInTime, clock: Clock) {
    // There is one distant future, so that it equals itself for every computation.
    self.clock = point.isNever ? .uptime : clock
    self.point = point
  }

  /// A deadline later than every other one, which is never reached.
  public static let distantFuture = Deadline(.never, clock: .uptime)

  /// Returns the current time, without a system call.
  public static func now(_ clock: Clock = .uptime) -> Deadline {
    Deadline(PointInTime(nanoseconds: clock.kernelClock.nanoseconds), clock: clock)
  }

  /// Creates a deadline from an uptime; more than 2^63 - 2 nanoseconds are the distant future.
  public init(uptimeNanoseconds: UInt64) {
    self.init(PointInTime(nanoseconds: Int64(clamping: uptimeNanoseconds)), clock: .uptime)
  }

  /// Creates a deadline from a boot time; more than 2^63 - 2 nanoseconds are the distant future.
  public init(bootTimeNanoseconds: UInt64) {
    self.init(PointInTime(nanoseconds: Int64(clamping: bootTimeNanoseconds)), clock: .bootTime)
  }

  /// Creates a deadline from the two parts of a `timespec`.
  ///
  /// The parts may have any value, also a negative one; a sum out of range saturates.
  public init(seconds: Int64, nanoseconds: Int64, clock: Clock = .uptime) {
    self.init(PointInTime(seconds: seconds, nanoseconds: nanoseconds), clock: clock)
  }

  /// The nanoseconds since the clock's start; for the distant future the largest number.
  public var nanoseconds: UInt64 {
    point.isNever ? .max : UInt64(point.nanoseconds)
  }

  /// The nanoseconds of the uptime; for the distant future the largest number.
  ///
  /// - Precondition: The deadline counts the uptime.
  public var uptimeNanoseconds: UInt64 {
    requireUse(clock == .uptime, "A deadline of the boot time has no uptime.", "S90")
    return nanoseconds
  }
}

extension Deadline: Comparable {
  /// Returns whether a deadline is earlier than another.
  ///
  /// - Precondition: Both use the same clock, or one is the distant future: the relation of two
  ///   clocks changes whenever the machine sleeps.
  public static func < (left: Deadline, right: Deadline) -> Bool {
    left.checkClock(of: right)
    return left.point < right.point
  }

  private func checkClock(of other: Deadline) {
    requireUse(
      clock == other.clock || point.isNever || other.point.isNever,
      "Deadlines of two clocks have no order and no distance.",
      "S90"
    )
  }

  /// Returns the time from this deadline to another one, negative if the other one is earlier.
  ///
  /// The distance to the distant future is 2^63 - 1 nanoseconds (about 292 years), and the distance
  /// from it to any other deadline is the negative of that. Between two distant futures it is 0.
  ///
  /// - Precondition: Both use the same clock, or one is the distant future.
  public func distance(to other: Deadline) -> Duration {
    checkClock(of: other)
    return .nanoseconds(point.distance(to: other.point))
  }
}

extension Deadline {
  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  ///
  /// Fractions of a nanosecond are dropped. The distant future does not change.
  public func advanced(by time: Duration) -> Deadline {
    Deadline(point.advanced(by: time.wholeNanoseconds), clock: clock)
  }

  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  public static func + (deadline: Deadline, time: Duration) -> Deadline {
    deadline.advanced(by: time)
  }

  /// Returns a deadline that is earlier by a duration, limited to the range of deadlines.
  public static func - (deadline: Deadline, time: Duration) -> Deadline {
    Deadline(deadline.point.advanced(by: time.negatedNanoseconds), clock: deadline.clock)
  }

  /// Returns a deadline that is later by a number of seconds, limited to the range of deadlines.
  ///
  /// A value that is not a number yields the distant future.
  public static func + (deadline: Deadline, seconds: Double) -> Deadline {
    deadline + Duration(saturatingSeconds: seconds)
  }

  /// Returns a deadline that is earlier by a number of seconds, limited to the range of deadlines.
  ///
  /// A value that is not a number yields the distant future.
  public static func - (deadline: Deadline, seconds: Double) -> Deadline {
    deadline + Duration(saturatingSeconds: -seconds)
  }

  /// Returns the nanoseconds until the deadline: 0 once it has passed, the largest number for the
  /// distant future.
  package func nanosecondsLeft() -> Int64 {
    max(0, Deadline.now(clock).point.distance(to: point))
  }
}

extension Deadline.Clock {
  package var kernelClock: KernelClock {
    switch self {
    case .uptime: .uptime
    case .bootTime: .bootTime
    }
  }
}
