public import DataRegions
public import FoundationEssentials

// The searches that `DataProtocol` asks for. Foundation's own search for the last place steps
// before the start where there is none. The forms that the protocol does not ask for keep a call
// on a buffer from being ambiguous between the buffer's members and the protocol's.

extension DataBuffer {
  /// Finds the first place of bytes, also where they cross regions; no bytes are at the start.
  ///
  /// - Complexity: O(count + wanted)
  public func firstRange(of wanted: some DataProtocol) -> Range<Int>? {
    ownFirstRange(of: wanted, in: 0..<count)
  }

  /// Finds the first place of bytes inside a range; no bytes are at its start.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + wanted)
  public func firstRange(of wanted: some DataProtocol, in range: Range<Int>) -> Range<Int>? {
    ownFirstRange(of: wanted, in: range)
  }

  /// The search of any collection, which those of `DataProtocol` hide.
  private func ownFirstRange(
    of wanted: some Collection<UInt8>,
    in range: Range<Int>
  ) -> Range<Int>? {
    firstRange(of: wanted, in: range)
  }

  /// Finds the first place of bytes inside a range; no bytes are at its start.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + wanted)
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    firstRange(of: wanted, in: range.relative(to: self))
  }

  /// Finds the last place of bytes, also where they cross regions; no bytes are at the end.
  ///
  /// - Complexity: O(count + wanted)
  public func lastRange(of wanted: some DataProtocol) -> Range<Int>? {
    ownLastRange(of: wanted, in: 0..<count)
  }

  /// Finds the last place of bytes inside a range; no bytes are at its end.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + wanted)
  public func lastRange(of wanted: some DataProtocol, in range: Range<Int>) -> Range<Int>? {
    ownLastRange(of: wanted, in: range)
  }

  /// The search of any collection, which those of `DataProtocol` hide.
  private func ownLastRange(
    of wanted: some Collection<UInt8>,
    in range: Range<Int>
  ) -> Range<Int>? {
    lastRange(of: wanted, in: range)
  }

  /// Finds the last place of bytes inside a range; no bytes are at its end.
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
  /// Finds the first place of bytes inside a range of positions; no bytes are at its start.
  ///
  /// - Precondition: The range lies inside the region.
  /// - Complexity: O(range + wanted)
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    DataBuffer(self).firstRange(of: wanted, in: range.relative(to: self))
  }

  /// Finds the last place of bytes inside a range of positions; no bytes are at its end.
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
