extension DataBuffer {
  /// The regions of the buffer in the order of their bytes.
  public var regions: Regions { Regions(buffer: self) }

  /// The regions of a buffer, numbered from 0.
  ///
  /// Access to a region takes O(log regions); iteration takes O(1) for each.
  public struct Regions: RandomAccessCollection, Sendable {
    let buffer: DataBuffer

    /// The number of the first region, always 0.
    public var startIndex: Int { 0 }

    /// The number of regions.
    public var endIndex: Int {
      switch buffer.storage {
      case .empty: 0
      case .region: 1
      case .tree(let tree): tree.regionCount
      }
    }

    /// The region with a number less than `endIndex`.
    ///
    /// - Complexity: O(log regions)
    public subscript(position: Int) -> Region {
      requireUse(position >= 0 && position < endIndex, "The region's number is in bounds.", "S50")
      var iterator = Iterator(buffer, from: position)
      guard let region = iterator.next() else {
        preconditionFailure("A buffer holds as many regions as it counts.")
      }
      return region
    }

    /// The regions in a range of indices.
    ///
    /// The slice has the same indices as this collection.
    ///
    /// - Precondition: The range lies between 0 and `endIndex`.
    /// - Complexity: O(1)
    public subscript(range: Range<Int>) -> Swift.Slice<Regions> {
      requireUse(
        range.lowerBound >= 0 && range.upperBound <= endIndex,
        "The range of regions' numbers is in bounds.",
        "S50"
      )
      return Swift.Slice(base: self, bounds: range)
    }

    /// Returns the index of the region that contains the byte at `offset`.
    ///
    /// - Precondition: The offset is not negative and less than the buffer's `count`.
    /// - Complexity: O(log regions)
    public func index(containing offset: Int) -> Int {
      requireUse(offset >= 0 && offset < buffer.count, "The offset lies inside the buffer.", "S50")
      guard case .tree(let tree) = buffer.storage else { return 0 }
      return tree.regionIndex(ofByteAt: offset)
    }

    /// Returns an iterator over all regions.
    public func makeIterator() -> Iterator { Iterator(buffer, from: 0) }
  }
}

extension DataBuffer.Regions {
  /// An iterator over the regions of a buffer.
  public struct Iterator: IteratorProtocol, Sendable {
    private let storage: DataBuffer.Storage
    private var nextIndex: Int
    private var position = RegionTree.RegionPosition(leaf: [], indexInLeaf: 0, offset: 0)

    init(_ buffer: DataBuffer, from index: Int) {
      storage = buffer.storage
      nextIndex = index
    }

    /// Returns the next region, or `nil` after the last one.
    public mutating func next() -> DataBuffer.Region? {
      switch storage {
      case .empty:
        return nil
      case .region(let piece):
        if nextIndex > 0 { return nil }
        nextIndex = 1
        return DataBuffer.Region(piece: piece, offset: 0)
      case .tree(let tree):
        if position.indexInLeaf == position.leaf.count {
          if nextIndex == tree.regionCount { return nil }
          position = tree.position(ofRegion: nextIndex)
        }
        return takeFromLeaf()
      }
    }

    private mutating func takeFromLeaf() -> DataBuffer.Region {
      let piece = position.leaf[position.indexInLeaf]
      let region = DataBuffer.Region(piece: piece, offset: position.offset)
      position.indexInLeaf += 1
      position.offset += piece.byteCount
      nextIndex += 1
      return region
    }
  }
}
