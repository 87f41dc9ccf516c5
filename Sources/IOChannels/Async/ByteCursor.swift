import DataRegions
import Synchronization

/// The position of a loop over bytes in a region that its reader keeps in its buffer.
///
/// A byte takes no lock. The reader ends the loop's use of the region at its next call, so it knows
/// the position however the loop was left.
final class ByteCursor: Sendable {
  private let region: DataBuffer.Region
  /// The number of bytes that were returned, or more than the region has.
  private let position = Atomic<Int>(0)

  init(_ region: DataBuffer.Region) {
    self.region = region
  }

  /// Returns the next byte; nil after the last one and after the end of the use.
  func next() -> UInt8? {
    let index = position.load(ordering: .relaxed)
    guard index < region.count else { return nil }
    position.store(index + 1, ordering: .relaxed)
    return region[index]
  }

  /// Ends the use, once.
  ///
  /// - Returns: The number of bytes that were returned.
  func end() -> Int {
    min(position.exchange(.max, ordering: .relaxed), region.count)
  }
}
