extension DataBuffer {
  /// Returns the bytes of a range as a buffer whose offsets start at 0, without copying them.
  ///
  /// Regions that the range does not touch are not kept by the result.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(log regions)
  public func subdata(in range: Range<Int>) -> DataBuffer {
    requireInside(range)
    if range.isEmpty { return DataBuffer() }
    if range.count == count { return self }
    switch storage {
    case .empty: return self
    case .region(let piece): return DataBuffer(.region(piece.trimmed(to: range)))
    case .tree(let tree): return DataBuffer(tree.slice(range))
    }
  }

  /// Returns the bytes before an offset and those from it on, without copying them.
  ///
  /// - Precondition: The offset is not negative and not greater than `count`.
  /// - Complexity: O(log regions)
  public func split(at offset: Int) -> (head: DataBuffer, tail: DataBuffer) {
    requireUse(offset >= 0 && offset <= count, "The offset lies inside the buffer.", "S50")
    return (subdata(in: 0..<offset), subdata(in: offset..<count))
  }

  /// Creates the same buffer without a copy; the initializer for any sequence would copy the bytes.
  public init(_ buffer: DataBuffer) {
    self = buffer
  }
}
