/// An interval of time in the form of Dispatch; kept for source compatibility.
///
/// New code uses `Duration`, which literals such as `.seconds(1)` also become. An interval is
/// limited to 2^63 - 1 nanoseconds (about 292 years) either way. Two intervals are equal if their
/// nanoseconds are (<doc:Rules#S220>).
public enum ClockInterval: Equatable, Sendable {
  /// A number of seconds.
  case seconds(Int)
  /// A number of milliseconds.
  case milliseconds(Int)
  /// A number of microseconds.
  case microseconds(Int)
  /// A number of nanoseconds.
  case nanoseconds(Int)
  /// An interval that never ends; it equals no other.
  case never

  /// Returns whether both are the same time, or both never end.
  public static func == (left: ClockInterval, right: ClockInterval) -> Bool {
    switch (left, right) {
    case (.never, .never): true
    case (.never, _), (_, .never): false
    default: left.wholeNanoseconds == right.wholeNanoseconds
    }
  }
}

extension ClockInterval {
  /// The interval in nanoseconds, clamped to 64 bits; the largest number for `never`.
  package var wholeNanoseconds: Int64 {
    switch self {
    case .seconds(let count): Self.product(count, 1_000_000_000)
    case .milliseconds(let count): Self.product(count, 1_000_000)
    case .microseconds(let count): Self.product(count, 1_000)
    case .nanoseconds(let count): Int64(count)
    case .never: .max
    }
  }

  /// The negated interval in nanoseconds, clamped to 64 bits.
  fileprivate var negatedNanoseconds: Int64 { -max(wholeNanoseconds, -.max) }

  /// Creates an interval from a distance; the largest number becomes `never`.
  fileprivate init(distance nanoseconds: Int64) {
    self = nanoseconds == .max ? .never : .nanoseconds(Int(nanoseconds))
  }

  private static func product(_ count: Int, _ unit: Int64) -> Int64 {
    let (product, overflows) = Int64(count).multipliedReportingOverflow(by: unit)
    return overflows ? (count < 0 ? .min : .max) : product
  }
}

extension Duration {
  /// Creates a duration from an interval; 2^63 - 1 nanoseconds for `never`.
  package init(_ interval: ClockInterval) { self = .nanoseconds(interval.wholeNanoseconds) }
}

// The overloads for `Duration` take literals such as `.seconds(1)`, so these are disfavored.
extension Deadline {
  /// Returns a deadline that is later by an interval; the distant future for `never`.
  @_disfavoredOverload
  public func advanced(by interval: ClockInterval) -> Deadline {
    advanced(by: interval.wholeNanoseconds)
  }

  /// Returns a deadline that is later by an interval; the distant future for `never`.
  @_disfavoredOverload
  public static func + (deadline: Deadline, interval: ClockInterval) -> Deadline {
    deadline.advanced(by: interval)
  }

  /// Returns a deadline that is earlier by an interval, limited to the range of deadlines.
  @_disfavoredOverload
  public static func - (deadline: Deadline, interval: ClockInterval) -> Deadline {
    deadline.advanced(by: interval.negatedNanoseconds)
  }

  /// Returns the interval from this deadline to another one, negative if the other one is earlier.
  ///
  /// The interval to the distant future is `never`.
  ///
  /// - Precondition: Both use the same clock, or one is the distant future.
  @_disfavoredOverload
  public func distance(to other: Deadline) -> ClockInterval {
    ClockInterval(distance: (distance(to: other) as Duration).wholeNanoseconds)
  }
}

extension WallDeadline {
  /// Returns a deadline that is later by an interval; the distant future for `never`.
  @_disfavoredOverload
  public func advanced(by interval: ClockInterval) -> WallDeadline {
    advanced(by: interval.wholeNanoseconds)
  }

  /// Returns a deadline that is later by an interval; the distant future for `never`.
  @_disfavoredOverload
  public static func + (deadline: WallDeadline, interval: ClockInterval) -> WallDeadline {
    deadline.advanced(by: interval)
  }

  /// Returns a deadline that is earlier by an interval, limited to the range of deadlines.
  @_disfavoredOverload
  public static func - (deadline: WallDeadline, interval: ClockInterval) -> WallDeadline {
    deadline.advanced(by: interval.negatedNanoseconds)
  }

  /// Returns the interval from this deadline to another one, negative if the other one is earlier.
  ///
  /// The interval to the distant future is `never`.
  @_disfavoredOverload
  public func distance(to other: WallDeadline) -> ClockInterval {
    ClockInterval(distance: (distance(to: other) as Duration).wholeNanoseconds)
  }
}
