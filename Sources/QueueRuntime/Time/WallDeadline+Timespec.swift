public import Glibc

// Depending on the order of files, `timespec` belongs to Glibc or to a module of its overlay that
// cannot be imported. So its members are not named, and inlinable code uses the public import.
extension WallDeadline {
  /// Creates a deadline from a time of the C library.
  ///
  /// The parts may have any value, also a negative one; a sum out of range saturates.
  @inlinable
  public init(timespec time: timespec) {
    self.init(sinceStart: Duration(time))
  }

  /// Creates a deadline from the time since the start of 1970.
  @usableFromInline
  init(sinceStart time: Duration) {
    self.init(DeadlineValue(nanoseconds: UInt64(clamping: time.attoseconds / 1_000_000_000)))
  }
}
