extension RegionTree {
  /// Returns the number of the region that holds the byte at `offset`, which is less than
  /// `byteCount`.
  ///
  /// - Complexity: O(log regions).
  func regionIndex(ofByteAt offset: Int) -> Int {
    switch content {
    case .leaf(let pieces):
      return pieces.position(ofByteAt: offset).index
    case .branch(let children):
      let (index, start) = children.position(ofByteAt: offset)
      let before = (0..<index).reduce(0) { $0 + children[$1].regionCount }
      return before + children[index].regionIndex(ofByteAt: offset - start)
    }
  }

  /// Returns the byte at `offset`, which is less than `byteCount`.
  ///
  /// - Complexity: O(log regions).
  func byte(at offset: Int) -> UInt8 {
    switch content {
    case .leaf(let pieces):
      let (index, start) = pieces.position(ofByteAt: offset)
      return pieces[index][offset - start]
    case .branch(let children):
      let (index, start) = children.position(ofByteAt: offset)
      return children[index].byte(at: offset - start)
    }
  }

  /// The position of a region: its leaf, its index in the leaf, and the offset of its first byte.
  struct RegionPosition: Sendable {
    var leaf: ContiguousArray<Piece>
    var indexInLeaf: Int
    var offset: Int
  }

  /// Finds the region that holds the byte at `offset`, which is less than `byteCount`.
  ///
  /// - Complexity: O(log regions).
  func position(ofByteAt offset: Int) -> RegionPosition {
    switch content {
    case .leaf(let pieces):
      let (index, start) = pieces.position(ofByteAt: offset)
      return RegionPosition(leaf: pieces, indexInLeaf: index, offset: start)
    case .branch(let children):
      let (index, start) = children.position(ofByteAt: offset)
      var position = children[index].position(ofByteAt: offset - start)
      position.offset += start
      return position
    }
  }

  /// Finds the region with the number `index`, which is less than `regionCount`.
  ///
  /// - Complexity: O(log regions).
  func position(ofRegion index: Int) -> RegionPosition {
    switch content {
    case .leaf(let pieces):
      let offset = (0..<index).reduce(0) { $0 + pieces[$1].byteCount }
      return RegionPosition(leaf: pieces, indexInLeaf: index, offset: offset)
    case .branch(let children):
      var (child, rest, offset) = (0, index, 0)
      while rest >= children[child].regionCount {
        rest -= children[child].regionCount
        offset += children[child].byteCount
        child += 1
      }
      var position = children[child].position(ofRegion: rest)
      position.offset += offset
      return position
    }
  }
}

extension ContiguousArray where Element: TreeEntry {
  /// Returns the index of the entry that holds the byte at `offset`, and the offset of its first
  /// byte.
  fileprivate func position(ofByteAt offset: Int) -> (index: Int, start: Int) {
    var (index, start) = (0, 0)
    while start + self[index].byteCount <= offset {
      start += self[index].byteCount
      index += 1
    }
    return (index, start)
  }
}
