public import DataRegions
import Synchronization

/// The position of a loop over bytes or lines in a region that its reader keeps in its buffer.
///
/// An element takes no lock. The reader ends the loop's use of the region at its next call, so it
/// knows the position however the loop was left.
@usableFromInline
final class RegionCursor: Sendable {
  private let region: DataBuffer.Region
  private let lineEnding: ChannelReader.LineEnding
  private let lineLimit: Int
  /// The number of bytes that were returned, or more than the region has.
  private let position = Atomic<Int>(0)

  init(_ region: DataBuffer.Region, lineEnding: ChannelReader.LineEnding, lineLimit: Int) {
    self.region = region
    self.lineEnding = lineEnding
    self.lineLimit = lineLimit
  }

  /// Returns the next byte; nil after the last one and after the end of the use.
  func nextByte() -> UInt8? {
    let index = position.load(ordering: .relaxed)
    guard index < region.count else { return nil }
    position.store(index + 1, ordering: .relaxed)
    return region[index]
  }

  /// Returns the next line; nil where the reader has to be called.
  ///
  /// That is so for a line that continues behind the region, for one that is too long, and after
  /// the end of the use.
  @usableFromInline
  func nextLine() -> DataBuffer? {
    let start = position.load(ordering: .relaxed)
    guard
      let (line, end) = region.line(
        from: start,
        upTo: lineLimit,
        removesReturn: lineEnding == .any
      )
    else { return nil }
    position.store(end, ordering: .relaxed)
    return line
  }

  /// Ends the use, once.
  ///
  /// - Returns: The number of bytes that were returned.
  func end() -> Int {
    min(position.exchange(.max, ordering: .relaxed), region.count)
  }
}
