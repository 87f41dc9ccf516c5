/// When it is worth asking whether the destination has room for everything that is copied.
///
/// Counting costs a walk through the sources, so nobody counts as long as what was written is small
/// beside what was free at the start. The answer still comes well before the space runs out.
struct SpaceRule {
  /// One part in so many of the free space is written without asking.
  static let unaskedShare: Int64 = 16

  /// What was free when the copy began, nil where nobody knows.
  private let free: Int64?
  private var written: Int64 = 0
  private var hasAsked = false

  init(free: Int64?) {
    self.free = free
  }

  /// Notes that a number of bytes is about to be written.
  ///
  /// - Returns: The space that was free where it is time to count, once.
  mutating func isAboutToWrite(_ count: Int64) -> Int64? {
    guard let free, !hasAsked else { return nil }
    written.grow(by: count)
    guard written > free / SpaceRule.unaskedShare else { return nil }
    hasAsked = true
    return free
  }
}
