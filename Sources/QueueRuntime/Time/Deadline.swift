package import IOChannelsSystem

/// A point in time that is independent of changes of the wall clock.
///
/// A deadline counts nanoseconds from the start of the machine. Its clock either stops while the
/// machine sleeps or does not (<doc:Rules#S90>). Arithmetic saturates as in Dispatch
/// (<doc:Rules#S91>): a result of 2^62 - 1 nanoseconds (about 146 years) or more is
/// `distantFuture`, which no wait and no timer reaches. A result before the first nanosecond is
/// that nanosecond. A deadline of 0 nanoseconds has passed, and stands for the present in
/// arithmetic.
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

  private let value: DeadlineValue

  private init(_ value: DeadlineValue, clock: Clock) {
    // There is one distant future, so that it equals itself for every computation.
    self.clock = value.isDistantFuture ? .uptime : clock
    self.value = value
  }

  /// A deadline later than every other one, which is never reached.
  public static let distantFuture = Deadline(.distantFuture, clock: .uptime)

  /// Returns the current time, without a system call.
  public static func now(_ clock: Clock = .uptime) -> Deadline {
    Deadline(DeadlineValue(on: clock.kernelClock), clock: clock)
  }

  /// Creates a deadline from an uptime; the largest number is the distant future.
  public init(uptimeNanoseconds: UInt64) {
    self.init(DeadlineValue(nanoseconds: uptimeNanoseconds), clock: .uptime)
  }

  /// Creates a deadline from a boot time; the largest number is the distant future.
  public init(bootTimeNanoseconds: UInt64) {
    self.init(DeadlineValue(nanoseconds: bootTimeNanoseconds), clock: .bootTime)
  }

  /// Creates a deadline from the two parts of a `timespec`.
  ///
  /// The parts may have any value, also a negative one; a sum out of range saturates.
  public init(seconds: Int64, nanoseconds: Int64, clock: Clock = .uptime) {
    self.init(DeadlineValue(seconds: seconds, nanoseconds: nanoseconds), clock: clock)
  }

  /// The nanoseconds since the clock's start; for the distant future the largest number.
  public var nanoseconds: UInt64 { value.nanoseconds }

  /// The nanoseconds of the uptime; for the distant future the largest number.
  ///
  /// - Precondition: The deadline counts the uptime.
  public var uptimeNanoseconds: UInt64 {
    requireUse(clock == .uptime, "A deadline of the boot time has no uptime.", "S90")
    return nanoseconds
  }

  /// The number with which Dispatch stores the same time.
  ///
  /// For an uptime it is the number of nanoseconds. For a boot time of less than 2^62 nanoseconds,
  /// bit 63 is set in addition. For the distant future it is the largest number.
  public var rawValue: UInt64 {
    clock == .uptime ? nanoseconds : nanoseconds | 1 << 63
  }
}

extension Deadline: Comparable {
  /// Returns whether a deadline is earlier than another.
  ///
  /// - Precondition: Both use the same clock, or one is the distant future: the relation of two
  ///   clocks changes whenever the machine sleeps.
  public static func < (left: Deadline, right: Deadline) -> Bool {
    left.checkClock(of: right)
    return left.value < right.value
  }

  private func checkClock(of other: Deadline) {
    requireUse(
      clock == other.clock || value.isDistantFuture || other.value.isDistantFuture,
      "Deadlines of two clocks have no order and no distance.",
      "S90"
    )
  }

  /// Returns the time from this deadline to another one, negative if the other one is earlier.
  ///
  /// The distance is limited to 2^63 - 1 nanoseconds (about 292 years) either way. Every distance
  /// to the distant future is that long, and so is every distance from it, as a negative number.
  /// Between two distant futures it is 0.
  ///
  /// - Precondition: Both use the same clock, or one is the distant future.
  public func distance(to other: Deadline) -> Duration {
    checkClock(of: other)
    return .nanoseconds(value.distance(to: other.value))
  }
}

extension Deadline {
  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  ///
  /// Fractions of a nanosecond are dropped. The distant future does not change.
  public func advanced(by time: Duration) -> Deadline {
    advanced(by: time.wholeNanoseconds)
  }

  /// Returns a deadline that is later by a duration, limited to the range of deadlines.
  public static func + (deadline: Deadline, time: Duration) -> Deadline {
    deadline.advanced(by: time)
  }

  /// Returns a deadline that is earlier by a duration, limited to the range of deadlines.
  public static func - (deadline: Deadline, time: Duration) -> Deadline {
    deadline.advanced(by: time.negatedNanoseconds)
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
    max(0, Deadline.now(clock).value.distance(to: value))
  }
}

extension Deadline {
  /// The deadline as an internal point of its clock.
  package var point: PointInTime { PointInTime(value) }

  /// The first time of a timer: the deadline, or the present if the deadline is the clock's start.
  package var firstFire: PointInTime { PointInTime(start) }

  /// The value from which arithmetic begins.
  ///
  /// As in Dispatch, the clock's start stands for the present.
  private var start: DeadlineValue {
    value.nanoseconds == 0 ? DeadlineValue(on: clock.kernelClock) : value
  }

  /// Returns a deadline that is later by nanoseconds.
  func advanced(by nanoseconds: Int64) -> Deadline {
    Deadline(start.advanced(by: nanoseconds, first: 1), clock: clock)
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
