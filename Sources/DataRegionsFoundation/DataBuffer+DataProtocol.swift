public import DataRegions
public import FoundationEssentials

/// A buffer of several regions has no place where all its bytes lie, so it is no
/// `ContiguousBytes`: its `withUnsafeBytes` would copy where nobody expects it.
extension DataBuffer: DataProtocol {
  /// Finds the first occurrence of bytes inside a range.
  ///
  /// - Returns: Where they are, or `nil` when they are not there or none are wanted.
  /// - Complexity: O(range · wanted · log regions) at worst.
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    occurrences(of: wanted, in: range.relative(to: self)).first
  }

  /// Finds the last occurrence of bytes inside a range.
  ///
  /// - Returns: Where they are, or `nil` when they are not there or none are wanted.
  /// - Complexity: O(range · wanted · log regions) at worst.
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    occurrences(of: wanted, in: range.relative(to: self)).last
  }
}

/// The bytes of a region always lie in one place.
extension DataBuffer.Region: ContiguousBytes {}

extension DataBuffer.Region: DataProtocol {
  /// The region itself.
  public var regions: CollectionOfOne<DataBuffer.Region> { CollectionOfOne(self) }

  /// Finds the first occurrence of bytes inside a range of positions.
  ///
  /// - Returns: Where they are, or `nil` when they are not there or none are wanted.
  /// - Complexity: O(range · wanted) at worst.
  public func firstRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    occurrences(of: wanted, in: range.relative(to: self)).first
  }

  /// Finds the last occurrence of bytes inside a range of positions.
  ///
  /// - Returns: Where they are, or `nil` when they are not there or none are wanted.
  /// - Complexity: O(range · wanted) at worst.
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    occurrences(of: wanted, in: range.relative(to: self)).last
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The ranges inside `range` that hold `wanted`, found one by one as they are asked for.
  ///
  /// Foundation's own search for the last one steps before the start when there is none.
  func occurrences(
    of wanted: some Collection<UInt8>,
    in range: Range<Int>
  ) -> some BidirectionalCollection<Range<Int>> {
    precondition(
      range.lowerBound >= startIndex && range.upperBound <= endIndex,
      "The range lies inside the buffer."
    )
    let length = wanted.count
    let last = length == 0 ? range.lowerBound : range.upperBound - length + 1
    return (range.lowerBound..<Swift.max(last, range.lowerBound)).lazy
      .map { $0..<$0 + length }
      .filter { self[$0].elementsEqual(wanted) }
  }
}
