/// A point of a clock, or never; arithmetic saturates at both ends.
package struct PointInTime: Comparable, Hashable, Sendable {
  /// The nanoseconds since the clock's start, not negative; the largest number stands for never.
  package let nanoseconds: Int64

  /// A point later than all others.
  package static let never = PointInTime(nanoseconds: .max)

  /// Creates a point from the time since the clock's start; one before the start becomes the start.
  package init(nanoseconds: Int64) {
    self.nanoseconds = max(0, nanoseconds)
  }

  /// Creates the point of a deadline; one after 2^63 - 2 nanoseconds becomes that point.
  init(_ deadline: DeadlineValue) {
    let last = Int64.max - 1
    nanoseconds = deadline.isDistantFuture ? .max : min(Int64(clamping: deadline.nanoseconds), last)
  }

  package var isNever: Bool { self == .never }

  package static func < (left: PointInTime, right: PointInTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns a point that is later by a duration; never stays never.
  package func advanced(by nanoseconds: Int64) -> PointInTime {
    if isNever { return self }
    let (sum, overflows) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    // One of the two numbers is not negative, so the sum can only be too large.
    return overflows ? .never : PointInTime(nanoseconds: sum)
  }

  /// Returns the nanoseconds to another point; the largest number if that is never.
  func distance(to other: PointInTime) -> Int64 {
    if self == other { return 0 }
    if isNever { return -.max }
    return other.isNever ? .max : other.nanoseconds - nanoseconds
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded to zero and clamped to 64 bits.
  package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  /// The negated duration in nanoseconds, rounded and clamped to 64 bits.
  var negatedNanoseconds: Int64 { -max(wholeNanoseconds, -.max) }

  /// Creates a duration from seconds, rounded to nanoseconds and clamped to 64 bits.
  ///
  /// A value that is not a number becomes the longest duration.
  package init(saturatingSeconds seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded(.towardZero)
    self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
  }
}
