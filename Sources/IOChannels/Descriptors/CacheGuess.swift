/// Whether to look for bytes in memory, told by whether the last ones were there.
///
/// A look that finds nothing is a system call in vain. After each such one twice as many reads go
/// the usual way without a look, up to a limit.
struct CacheGuess: Sendable {
  /// The most reads that go without a look.
  static let longestPause = 63

  /// Reads that still go without a look.
  private var passes = 0
  /// How many went without one after the last look in vain; none after one that was not.
  private var pause = 0

  /// Whether the next read is worth a look.
  mutating func mayLook() -> Bool {
    if passes == 0 { return true }
    passes -= 1
    return false
  }

  /// Notes what a look has found.
  mutating func note(found: Bool) {
    pause = found ? 0 : min(2 * pause + 1, Self.longestPause)
    passes = pause
  }
}
