public import DataRegions
public import FoundationEssentials

extension DataBuffer.Slice {
  /// Finds the first place of bytes, as a buffer does; offsets are the buffer's.
  ///
  /// - Complexity: O(count + wanted)
  public func firstRange(of wanted: some DataProtocol) -> Range<Int>? {
    firstRange(of: wanted, in: startIndex..<endIndex)
  }

  /// Finds the first place of bytes inside a range; no bytes are at its start.
  ///
  /// - Precondition: The range lies inside the slice.
  /// - Complexity: O(range + wanted)
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    self[range].ownRange(of: wanted, first: true)
  }

  /// Finds the last place of bytes, as a buffer does; offsets are the buffer's.
  ///
  /// - Complexity: O(count + wanted)
  public func lastRange(of wanted: some DataProtocol) -> Range<Int>? {
    lastRange(of: wanted, in: startIndex..<endIndex)
  }

  /// Finds the last place of bytes inside a range; no bytes are at its end.
  ///
  /// - Precondition: The range lies inside the slice.
  /// - Complexity: O(range + wanted)
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    self[range].ownRange(of: wanted, first: false)
  }

  /// The searches of any collection, which those of `DataProtocol` hide.
  private func ownRange(of wanted: some Collection<UInt8>, first isFirst: Bool) -> Range<Int>? {
    isFirst ? firstRange(of: wanted) : lastRange(of: wanted)
  }
}
