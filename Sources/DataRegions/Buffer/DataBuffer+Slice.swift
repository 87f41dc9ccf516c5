extension DataBuffer {
  /// A range of a buffer's bytes, with the same offsets as in the buffer.
  ///
  /// Subscripts with a range, `prefix`, `suffix` and `dropFirst` return a slice. Reading a slice is
  /// as fast as reading a buffer. A slice keeps the whole buffer. `DataBuffer(slice)` keeps only
  /// the bytes of the slice, and its offsets start at 0. Slices are equal when their bytes are
  /// equal.
  public struct Slice: Sendable {
    let buffer: DataBuffer
    let range: Range<Int>

    /// The buffer that the slice is a range of.
    public var base: DataBuffer { buffer }
  }

  /// The type of parts that share the offsets of the buffer.
  public typealias SubSequence = Slice

  /// The bytes in a range of offsets.
  ///
  /// The slice has the same offsets as the buffer.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(1)
  public subscript(range: Range<Int>) -> Slice {
    requireInside(range)
    return Slice(buffer: self, range: range)
  }

  /// The bytes in a range of offsets, as a slice of the standard library.
  ///
  /// It serves code that declares this type. `DataBuffer.Slice` is faster to iterate over, and can
  /// be compared and hashed.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(1)
  @_disfavoredOverload
  public subscript(range: Range<Int>) -> Swift.Slice<DataBuffer> {
    requireInside(range)
    return Swift.Slice(base: self, bounds: range)
  }

  /// Creates a buffer from a slice, with offsets that start at 0, without copying the bytes.
  ///
  /// - Complexity: O(log regions)
  public init(_ slice: Slice) {
    self = slice.buffer.subdata(in: slice.range)
  }
}

extension DataBuffer.Slice: RandomAccessCollection {
  /// The offset of the first byte in the buffer.
  public var startIndex: Int { range.lowerBound }

  /// The offset after the last byte in the buffer.
  public var endIndex: Int { range.upperBound }

  /// The byte at an offset of the buffer.
  ///
  /// - Precondition: The offset lies inside the slice.
  /// - Complexity: O(log regions); nothing is copied.
  public subscript(offset: Int) -> UInt8 {
    requireUse(range.contains(offset), "The offset lies inside the slice.", "S50")
    return buffer[offset]
  }

  /// The bytes in a range of offsets of the buffer.
  ///
  /// The result has the same offsets as this slice.
  ///
  /// - Precondition: The range lies inside the slice.
  /// - Complexity: O(1)
  public subscript(part: Range<Int>) -> DataBuffer.Slice {
    requireInside(part)
    return DataBuffer.Slice(buffer: buffer, range: part)
  }

  /// Returns an iterator over the bytes.
  ///
  /// The iterator keeps their memory.
  ///
  /// - Complexity: O(log regions)
  public func makeIterator() -> DataBuffer.Iterator { DataBuffer(self).makeIterator() }

  /// Stops the program when a range does not lie inside the slice.
  func requireInside(_ part: Range<Int>) {
    requireUse(
      part.lowerBound >= range.lowerBound && part.upperBound <= range.upperBound,
      "The range lies inside the slice.",
      "S50"
    )
  }
}

extension DataBuffer.Slice: Hashable {
  /// Returns whether both slices hold the same bytes; their offsets and regions have no effect.
  ///
  /// - Complexity: O(count)
  public static func == (left: DataBuffer.Slice, right: DataBuffer.Slice) -> Bool {
    DataBuffer(left) == DataBuffer(right)
  }

  /// Feeds the bytes into a hasher; their offsets and regions have no effect.
  ///
  /// - Complexity: O(count)
  public func hash(into hasher: inout Hasher) {
    DataBuffer(self).hash(into: &hasher)
  }
}
