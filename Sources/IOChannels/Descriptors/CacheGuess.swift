/// Whether to look for bytes in memory, told by whether the last ones were there.
///
/// A look that finds nothing is a system call in vain. After each such one twice as many reads go
/// the usual way without a look, up to 63.
struct CacheGuess: Sendable {
  /// Reads that go without a look.
  private var passes = 0
  /// Looks in vain since one that was not.
  private var misses = 0

  /// Whether the next read is worth a look.
  mutating func mayLook() -> Bool {
    if passes == 0 { return true }
    passes -= 1
    return false
  }

  /// Notes what a look has found.
  mutating func note(found: Bool) {
    misses = found ? 0 : min(misses + 1, 6)
    passes = (1 << misses) - 1
  }
}
