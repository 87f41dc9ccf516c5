/// A prediction whether the next read finds its bytes in the page cache, or in the pipe.
///
/// An attempt without a hit is a wasted system call. After each one, twice as many reads as before
/// are submitted without an attempt, up to a limit.
struct CacheGuess: Sendable {
  /// The largest number of reads without an attempt.
  static let longestPause = 63

  /// The number of reads that are still submitted without an attempt.
  private var passes = 0
  /// The number of reads without an attempt after the last miss; 0 after a hit.
  private var pause = 0

  /// Returns whether the next read is worth an attempt.
  mutating func mayLook() -> Bool {
    if passes == 0 { return true }
    passes -= 1
    return false
  }

  /// Records the result of an attempt.
  mutating func note(found: Bool) {
    pause = found ? 0 : min(2 * pause + 1, Self.longestPause)
    passes = pause
  }
}
