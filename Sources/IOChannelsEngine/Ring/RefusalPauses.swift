/// The pauses of a ring's thread while the kernel refuses to accept requests.
///
/// Each pause is twice as long as the one before, from a millisecond to a quarter of a second. The
/// last one ends after about eight seconds.
struct RefusalPauses {
  /// The most pauses in a row.
  static let limit = 40

  private var count = 0

  /// Records a refusal.
  ///
  /// - Returns: The time to wait for completions before the next attempt, nil to give up.
  mutating func next() -> Duration? {
    guard count < Self.limit else { return nil }
    defer { count += 1 }
    return .milliseconds(1 << min(count, 8))
  }

  /// Records that the kernel has accepted or completed requests.
  mutating func end() {
    count = 0
  }
}
