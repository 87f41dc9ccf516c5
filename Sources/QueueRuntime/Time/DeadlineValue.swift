internal import IOChannelsSystem

/// The nanoseconds of a deadline, with the range and the arithmetic of Dispatch.
///
/// A value that the program gives is kept. A result of arithmetic lies between the first nanosecond
/// of the clock and the bound, or is the distant future.
struct DeadlineValue: Comparable, Hashable, Sendable {
  /// The first result of arithmetic that is too late.
  static let bound: UInt64 = (1 << 62) - 1

  /// A value later than all others.
  static let distantFuture = DeadlineValue(nanoseconds: .max)

  /// The nanoseconds since the clock's start; the largest number stands for the distant future.
  let nanoseconds: UInt64

  init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// Creates a value from the sum of both; nanoseconds may exceed a second, and be negative.
  init(seconds: Int64, nanoseconds: Int64) {
    let whole = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    self.init(nanoseconds: UInt64(clamping: whole))
  }

  /// Creates the value of the present.
  init(on clock: KernelClock) {
    self.init(nanoseconds: UInt64(clamping: clock.nanoseconds))
  }

  var isDistantFuture: Bool { self == .distantFuture }

  static func < (left: DeadlineValue, right: DeadlineValue) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns a value that is later by a duration, and not before the first one of its clock.
  func advanced(by nanoseconds: Int64, first: UInt64) -> DeadlineValue {
    if self.nanoseconds > Self.bound { return .distantFuture }
    // The value is less than 2^62, so the sum can only be too large.
    let (sum, overflows) = Int64(self.nanoseconds).addingReportingOverflow(nanoseconds)
    if overflows || sum >= Int64(Self.bound) { return .distantFuture }
    return DeadlineValue(nanoseconds: max(UInt64(clamping: sum), first))
  }

  /// Returns the nanoseconds to another value, clamped to 64 bits; the largest number if that is
  /// the distant future.
  func distance(to other: DeadlineValue) -> Int64 {
    if self == other { return 0 }
    if isDistantFuture { return -.max }
    if other.isDistantFuture { return .max }
    return max(Int64(clamping: Int128(other.nanoseconds) - Int128(nanoseconds)), -.max)
  }
}
