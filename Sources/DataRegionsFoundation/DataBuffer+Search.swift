public import DataRegions
public import FoundationEssentials

// The searches that `DataProtocol` requires. Foundation's own search for the last range reads
// before the start when there is no match. The overloads that the protocol does not require keep a
// call on a buffer from being ambiguous between the buffer's members and the protocol's.

extension DataBuffer {
  /// Returns the first range of bytes, also across regions; an empty pattern matches at the start.
  ///
  /// - Complexity: O(count + wanted)
  public func firstRange(of wanted: some DataProtocol) -> Range<Int>? {
    ownFirstRange(of: wanted, in: 0..<count)
  }

  /// Returns the first range of bytes inside a range; an empty pattern matches at its start.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + wanted)
  public func firstRange(of wanted: some DataProtocol, in range: Range<Int>) -> Range<Int>? {
    ownFirstRange(of: wanted, in: range)
  }

  /// Searches as any collection does; the searches of `DataProtocol` hide that overload.
  private func ownFirstRange(
    of wanted: some Collection<UInt8>,
    in range: Range<Int>
  ) -> Range<Int>? {
    firstRange(of: wanted, in: range)
  }

  /// Returns the first range of bytes inside a range; an empty pattern matches at its start.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + wanted)
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    firstRange(of: wanted, in: range.relative(to: self))
  }

  /// Returns the last range of bytes, also across regions; an empty pattern matches at the end.
  ///
  /// - Complexity: O(count + wanted)
  public func lastRange(of wanted: some DataProtocol) -> Range<Int>? {
    ownLastRange(of: wanted, in: 0..<count)
  }

  /// Returns the last range of bytes inside a range; an empty pattern matches at its end.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + wanted)
  public func lastRange(of wanted: some DataProtocol, in range: Range<Int>) -> Range<Int>? {
    ownLastRange(of: wanted, in: range)
  }

  /// Searches as any collection does; the searches of `DataProtocol` hide that overload.
  private func ownLastRange(
    of wanted: some Collection<UInt8>,
    in range: Range<Int>
  ) -> Range<Int>? {
    lastRange(of: wanted, in: range)
  }

  /// Returns the last range of bytes inside a range; an empty pattern matches at its end.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + wanted)
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    lastRange(of: wanted, in: range.relative(to: self))
  }
}

extension DataBuffer.Region {
  /// Returns the first range of bytes inside a range of positions; an empty pattern matches at its
  /// start.
  ///
  /// - Precondition: The range lies inside the region.
  /// - Complexity: O(range + wanted)
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    DataBuffer(self).firstRange(of: wanted, in: range.relative(to: self))
  }

  /// Returns the last range of bytes inside a range of positions; an empty pattern matches at its
  /// end.
  ///
  /// - Precondition: The range lies inside the region.
  /// - Complexity: O(range + wanted)
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    DataBuffer(self).lastRange(of: wanted, in: range.relative(to: self))
  }
}
