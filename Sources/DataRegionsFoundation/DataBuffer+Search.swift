public import DataRegions
public import FoundationEssentials

// The searches that `DataProtocol` asks for. Foundation's own search for the last place steps
// before the start where there is none. The two forms that the protocol does not ask for keep a
// call on a buffer from being ambiguous between the buffer's members and the protocol's.

extension DataBuffer {
  /// Finds the first place of bytes, also where they cross regions; no bytes are at the start.
  ///
  /// - Complexity: O(count · wanted · log regions) at worst.
  public func firstRange(of wanted: some DataProtocol) -> Range<Int>? {
    firstRange(of: wanted, in: 0..<count)
  }

  /// Finds the first place of bytes inside a range; no bytes are at its start.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range · wanted · log regions) at worst.
  public func firstRange(of wanted: some DataProtocol, in range: Range<Int>) -> Range<Int>? {
    places(of: wanted, in: range).first
  }

  /// Finds the first place of bytes inside a range; no bytes are at its start.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range · wanted · log regions) at worst.
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    firstRange(of: wanted, in: range.relative(to: self))
  }

  /// Finds the last place of bytes inside a range; no bytes are at its end.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range · wanted · log regions) at worst.
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    places(of: wanted, in: range.relative(to: self)).last
  }
}

extension DataBuffer.Region {
  /// Finds the first place of bytes inside a range of positions; no bytes are at its start.
  ///
  /// - Precondition: The range lies inside the region.
  /// - Complexity: O(range · wanted) at worst.
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    places(of: wanted, in: range.relative(to: self)).first
  }

  /// Finds the last place of bytes inside a range of positions; no bytes are at its end.
  ///
  /// - Precondition: The range lies inside the region.
  /// - Complexity: O(range · wanted) at worst.
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    places(of: wanted, in: range.relative(to: self)).last
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The ranges inside `range` that hold `wanted`, found one by one as they are asked for.
  fileprivate func places(
    of wanted: some Collection<UInt8>,
    in range: Range<Int>
  ) -> some BidirectionalCollection<Range<Int>> {
    precondition(
      range.lowerBound >= startIndex && range.upperBound <= endIndex,
      "The range lies inside the bytes."
    )
    let length = wanted.count
    let end = Swift.max(range.upperBound - length + 1, range.lowerBound)
    return (range.lowerBound..<end).lazy
      .map { $0..<$0 + length }
      .filter { self[$0].elementsEqual(wanted) }
  }
}
