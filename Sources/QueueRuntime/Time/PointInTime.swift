/// A point of a clock, or never; arithmetic saturates at both ends.
package struct PointInTime: Comparable, Hashable, Sendable {
  /// From 0, the clock's start, to the largest number, which stands for never.
  package let nanoseconds: Int64

  /// Later than all other points.
  package static let never = PointInTime(nanoseconds: .max)

  /// The point so long after the clock's start; one before the start becomes the start.
  package init(nanoseconds: Int64) {
    self.nanoseconds = max(0, nanoseconds)
  }

  /// The sum of both, which may be larger than a second has nanoseconds, and negative.
  init(seconds: Int64, nanoseconds: Int64) {
    let whole = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    self.init(nanoseconds: Int64(clamping: whole))
  }

  package var isNever: Bool { self == .never }

  package static func < (left: PointInTime, right: PointInTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The point so much later; never stays never.
  package func advanced(by nanoseconds: Int64) -> PointInTime {
    if isNever { return self }
    let (sum, overflows) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    // Of two numbers, one not negative, the sum can be too large only.
    return overflows ? .never : PointInTime(nanoseconds: sum)
  }

  /// The nanoseconds from here to another point; the largest number if that is never.
  func distance(to other: PointInTime) -> Int64 {
    if self == other { return 0 }
    if isNever { return -.max }
    return other.isNever ? .max : other.nanoseconds - nanoseconds
  }
}

extension Duration {
  /// The whole nanoseconds, cut to the numbers of 64 bits.
  package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  /// The whole nanoseconds the other way, cut to the numbers of 64 bits.
  var negatedNanoseconds: Int64 { -max(wholeNanoseconds, -.max) }

  /// So many seconds in whole nanoseconds, cut to the numbers of 64 bits.
  ///
  /// What is not a number is as long as possible.
  package init(saturatingSeconds seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded(.towardZero)
    self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
  }
}
