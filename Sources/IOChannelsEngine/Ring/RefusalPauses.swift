/// How long a ring's thread pauses while the kernel refuses to take requests, and when it gives up.
///
/// Each pause is twice as long as the one before, from a millisecond to a quarter of a second; the
/// last one ends after about eight seconds.
struct RefusalPauses {
  /// The most pauses in a row.
  static let limit = 40

  private var count = 0

  /// Takes note of a refusal.
  ///
  /// - Returns: How long to wait for answers before the next attempt; nil to give up.
  mutating func next() -> Duration? {
    guard count < Self.limit else { return nil }
    defer { count += 1 }
    return .milliseconds(1 << min(count, 8))
  }

  /// Takes note that the kernel has taken requests, or answered some.
  mutating func end() {
    count = 0
  }
}
