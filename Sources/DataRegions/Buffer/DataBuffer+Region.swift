extension DataBuffer {
  /// A run of contiguous bytes of a buffer.
  ///
  /// A region keeps its own memory and is never empty.
  public struct Region: Sendable {
    let piece: Piece

    /// The offset of the first byte in the buffer that the region was taken from.
    public let offset: Int

    /// The number of bytes.
    public var count: Int { piece.byteCount }

    /// The bytes, valid while the region is kept.
    public var bytes: RawSpan {
      @_lifetime(borrow self)
      get { piece.bytes }
    }
  }

  /// Returns the region that contains the byte at an offset.
  ///
  /// - Precondition: The offset is not negative and less than `count`.
  /// - Complexity: O(log regions)
  public func region(containing offset: Int) -> Region {
    requireUse(offset >= 0 && offset < count, "The offset lies inside the buffer.", "S50")
    switch storage {
    case .empty:
      preconditionFailure("An empty buffer has no region.")
    case .region(let piece):
      return Region(piece: piece, offset: 0)
    case .tree(let tree):
      let position = tree.position(ofByteAt: offset)
      return Region(piece: position.leaf[position.indexInLeaf], offset: position.offset)
    }
  }

  /// Returns the region that contains the byte at `location`, as a buffer, and its offset.
  ///
  /// - Precondition: The location is not negative and less than `count`.
  /// - Complexity: O(log regions)
  public func region(location: Int) -> (data: DataBuffer, offset: Int) {
    let region = region(containing: location)
    return (DataBuffer(region), region.offset)
  }

  /// Creates a buffer of one region, without copying its bytes.
  public init(_ region: Region) {
    self.init(.region(region.piece))
  }
}

extension DataBuffer.Region: RandomAccessCollection {
  /// The position of the first byte, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last byte.
  public var endIndex: Int { count }

  /// The byte at a position inside the region.
  public subscript(position: Int) -> UInt8 { piece[position] }

  /// The bytes in a range of positions.
  ///
  /// The slice has the same positions as the region.
  ///
  /// - Precondition: The range lies inside the region.
  /// - Complexity: O(1)
  public subscript(range: Range<Int>) -> Swift.Slice<DataBuffer.Region> {
    requireUse(
      range.lowerBound >= 0 && range.upperBound <= count,
      "The range lies inside the region.",
      "S50"
    )
    return Swift.Slice(base: self, bounds: range)
  }
}
