/// Decides when to check whether the destination has room for everything that is copied.
///
/// Counting the sources costs a walk through them. The check therefore waits until the written
/// bytes are a noticeable share of the space that was free at the start.
struct SpaceRule {
  /// The divisor of the free space that gives the number of bytes written before the check.
  static let unaskedShare: Int64 = 16

  /// The bytes that were free when the copy began; nil where unknown.
  private let free: Int64?
  private var written: Int64 = 0
  private var hasAsked = false

  init(free: Int64?) {
    self.free = free
  }

  /// Records that `count` bytes are about to be written.
  ///
  /// - Returns: The bytes that were free at the start when the check is due, once; otherwise nil.
  mutating func recordWrite(of count: Int64) -> Int64? {
    guard let free, !hasAsked else { return nil }
    written.grow(by: count)
    guard written > free / SpaceRule.unaskedShare else { return nil }
    hasAsked = true
    return free
  }
}
