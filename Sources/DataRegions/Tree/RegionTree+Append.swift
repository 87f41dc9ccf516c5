extension RegionTree {
  /// Adds a region at the end.
  ///
  /// - Complexity: Amortised O(1) when no other value shares the nodes, otherwise O(log regions).
  mutating func append(_ piece: Piece) {
    guard let sibling = appendIfRoom(piece) else { return }
    self = RegionTree(branch: [self, sibling])
  }

  /// Adds the regions of another tree at the end.
  ///
  /// - Complexity: Amortised O(1) for a leaf when no other value shares the nodes, otherwise
  ///   O(log regions).
  mutating func append(_ other: RegionTree) {
    // A few regions extend the last leaf in place; a join would copy the nodes along the seam.
    if case .leaf(let pieces) = other.content {
      for piece in pieces { append(piece) }
    } else {
      self = .concatenated(self, other)
    }
  }

  /// Adds a region below this root, or returns a tree of the same height that holds it when every
  /// node on the right edge is full.
  private mutating func appendIfRoom(_ piece: Piece) -> RegionTree? {
    switch content {
    case .leaf(var pieces):
      if pieces.count == Self.fanOut { return Self.leafWithRoom(piece) }
      // While the tree is empty the variable is the only reference, so it grows in place.
      content = .leaf([])
      pieces.append(piece)
      content = .leaf(pieces)
    case .branch(var children):
      content = .leaf([])
      defer { content = .branch(children) }
      if let sibling = children[children.count - 1].appendIfRoom(piece) {
        if children.count == Self.fanOut { return RegionTree(branch: [sibling]) }
        children.append(sibling)
      }
    }
    byteCount += piece.byteCount
    regionCount += 1
    return nil
  }

  private static func leafWithRoom(_ piece: Piece) -> RegionTree {
    var pieces: ContiguousArray<Piece> = []
    pieces.reserveCapacity(fanOut)
    pieces.append(piece)
    return RegionTree(leaf: pieces)
  }

  /// The last region.
  ///
  /// - Complexity: O(log regions).
  var lastPiece: Piece {
    switch content {
    case .leaf(let pieces): pieces[pieces.count - 1]
    case .branch(let children): children[children.count - 1].lastPiece
    }
  }

  /// Replaces the last region by another one.
  ///
  /// - Complexity: O(log regions); nodes are copied when another value shares them.
  mutating func replaceLastPiece(by piece: Piece) {
    switch content {
    case .leaf(var pieces):
      content = .leaf([])
      byteCount += piece.byteCount - pieces[pieces.count - 1].byteCount
      pieces[pieces.count - 1] = piece
      content = .leaf(pieces)
    case .branch(var children):
      content = .leaf([])
      byteCount -= children[children.count - 1].byteCount
      children[children.count - 1].replaceLastPiece(by: piece)
      byteCount += children[children.count - 1].byteCount
      content = .branch(children)
    }
  }
}
