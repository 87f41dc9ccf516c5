/// The moment of the check whether the destination has enough free space for the sources.
///
/// The check walks through all sources to count them. It therefore waits until the written bytes
/// are a noticeable share of the space that was free at the start.
struct SpaceRule {
  /// The divisor of the free space that yields the number of bytes written before the check.
  static let checkDivisor: Int64 = 16

  /// The bytes that were free when the copy began; nil where unknown.
  private let free: Int64?
  private var written: Int64 = 0
  private var hasChecked = false

  init(free: Int64?) {
    self.free = free
  }

  /// Records that `count` bytes are about to be written.
  ///
  /// - Returns: The bytes that were free at the start when the check is due, once; otherwise nil.
  mutating func recordWrite(of count: Int64) -> Int64? {
    guard let free, !hasChecked else { return nil }
    written.grow(by: count)
    guard written > free / SpaceRule.checkDivisor else { return nil }
    hasChecked = true
    return free
  }
}
