public import DataRegions
public import FoundationEssentials

// The searches that `DataProtocol` asks for. Foundation's own search for the last place steps
// before the start where there is none. The two forms that the protocol does not ask for keep a
// call on a buffer from being ambiguous between the buffer's members and the protocol's.

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

  /// Finds the last place of bytes inside a range; no bytes are at its end.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range · log regions + wanted)
  public func lastRange(
    of wanted: some DataProtocol,
    in range: some RangeExpression<Int>
  ) -> Range<Int>? {
    let range = range.relative(to: self)
    let pattern = ContiguousArray(wanted.reversed())
    return endOfMatch(of: pattern, in: subdata(in: range).reversed()).map {
      range.upperBound - $0..<range.upperBound - $0 + pattern.count
    }
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

/// Where the first match of a pattern ends, as a number of bytes from the start.
///
/// Each byte is read once: after a mismatch, as much stays matched as the pattern begins with
/// again. Backwards, of reversed bytes, it finds the last match.
private func endOfMatch(
  of pattern: ContiguousArray<UInt8>,
  in bytes: some Sequence<UInt8>
) -> Int? {
  if pattern.isEmpty { return 0 }
  var kept = ContiguousArray(repeating: 0, count: pattern.count)
  var matched = 0
  func advance(with byte: UInt8) {
    while matched > 0, pattern[matched] != byte { matched = kept[matched - 1] }
    if pattern[matched] == byte { matched += 1 }
  }
  for index in pattern.indices.dropFirst() {
    advance(with: pattern[index])
    kept[index] = matched
  }
  matched = 0
  var end = 0
  for byte in bytes {
    advance(with: byte)
    end += 1
    if matched == pattern.count { return end }
  }
  return nil
}
