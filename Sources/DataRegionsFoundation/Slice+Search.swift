public import DataRegions
public import FoundationEssentials

extension DataBuffer.Slice {
  /// Returns the first range of bytes, in offsets of the buffer.
  ///
  /// - Complexity: O(count + wanted)
  public func firstRange(of wanted: some DataProtocol) -> Range<Int>? {
    firstRange(of: wanted, in: startIndex..<endIndex)
  }

  /// Returns the first range of bytes inside a range; an empty pattern matches at its start.
  ///
  /// - Precondition: The range lies inside the slice.
  /// - Complexity: O(range + wanted)
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    self[range].ownRange(of: wanted, first: true)
  }

  /// Returns the last range of bytes, in offsets of the buffer.
  ///
  /// - Complexity: O(count + wanted)
  public func lastRange(of wanted: some DataProtocol) -> Range<Int>? {
    lastRange(of: wanted, in: startIndex..<endIndex)
  }

  /// Returns the last range of bytes inside a range; an empty pattern matches at its end.
  ///
  /// - Precondition: The range lies inside the slice.
  /// - Complexity: O(range + wanted)
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    self[range].ownRange(of: wanted, first: false)
  }

  /// Searches as any collection does; the searches of `DataProtocol` hide those overloads.
  private func ownRange(of wanted: some Collection<UInt8>, first isFirst: Bool) -> Range<Int>? {
    isFirst ? firstRange(of: wanted) : lastRange(of: wanted)
  }
}
