package import SystemCalls

/// A point in time that does not move when somebody sets the wall clock.
///
/// It counts nanoseconds from the start of the machine, on one of two clocks (S90). Arithmetic
/// saturates: what comes out too late is `distantFuture`, which no wait and no timer reaches, and
/// what comes out before the clock's start is the start (S91).
public struct Deadline: Hashable, Sendable {
  /// What a deadline counts.
  public enum Clock: Hashable, Sendable {
    /// The time during which the machine was awake.
    case uptime
    /// The time since the machine was started, asleep or awake.
    case bootTime
  }

  /// What the deadline counts; that of the distant future is `uptime`.
  public let clock: Clock

  package let point: PointInTime

  init(_ point: PointInTime, clock: Clock) {
    // There is one distant future, so that it equals itself however it came about.
    self.clock = point.isNever ? .uptime : clock
    self.point = point
  }

  /// Later than every other deadline, and never reached.
  public static let distantFuture = Deadline(.never, clock: .uptime)

  /// The present, without a system call.
  public static func now(_ clock: Clock = .uptime) -> Deadline {
    Deadline(PointInTime(nanoseconds: clock.kernelClock.nanoseconds), clock: clock)
  }

  /// Makes a point of the uptime; more than 2^63 - 2 nanoseconds are the distant future.
  public init(uptimeNanoseconds: UInt64) {
    self.init(PointInTime(nanoseconds: Int64(clamping: uptimeNanoseconds)), clock: .uptime)
  }

  /// Makes a point of the boot time; more than 2^63 - 2 nanoseconds are the distant future.
  public init(bootTimeNanoseconds: UInt64) {
    self.init(PointInTime(nanoseconds: Int64(clamping: bootTimeNanoseconds)), clock: .bootTime)
  }

  /// Makes a point of the two parts of a `timespec`.
  ///
  /// The parts are added whatever they are; a sum out of range saturates (S91).
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
  /// Whether a deadline is earlier than another.
  ///
  /// - Precondition: Both count on the same clock, or one is the distant future: how two clocks
  ///   relate changes whenever the machine sleeps.
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

  /// The time from here to another deadline, negative if that is earlier.
  ///
  /// To the distant future it is 2^63 - 1 nanoseconds, about 292 years, and from it as much
  /// before; from it to itself it is 0.
  ///
  /// - Precondition: Both count on the same clock, or one is the distant future.
  public func distance(to other: Deadline) -> Duration {
    checkClock(of: other)
    return .nanoseconds(point.distance(to: other.point))
  }
}

extension Deadline {
  /// The deadline so much later, saturated (S91).
  ///
  /// Parts of a nanosecond are dropped. The distant future stays what it is.
  public func advanced(by time: Duration) -> Deadline {
    Deadline(point.advanced(by: time.wholeNanoseconds), clock: clock)
  }

  /// The deadline so much later, saturated (S91).
  public static func + (deadline: Deadline, time: Duration) -> Deadline {
    deadline.advanced(by: time)
  }

  /// The deadline so much earlier, saturated (S91).
  public static func - (deadline: Deadline, time: Duration) -> Deadline {
    Deadline(deadline.point.advanced(by: time.negatedNanoseconds), clock: deadline.clock)
  }

  /// The deadline so many seconds later, saturated (S91).
  ///
  /// What is not a number gives the distant future.
  public static func + (deadline: Deadline, seconds: Double) -> Deadline {
    deadline + Duration(saturatingSeconds: seconds)
  }

  /// The deadline so many seconds earlier, saturated (S91).
  ///
  /// What is not a number gives the distant future.
  public static func - (deadline: Deadline, seconds: Double) -> Deadline {
    deadline + Duration(saturatingSeconds: -seconds)
  }

  /// The nanoseconds until the deadline: 0 once it has passed, the largest number for never.
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
