extension RegionTree {
  /// Adds a region at the end.
  ///
  /// - Complexity: Amortised O(1) when no other value shares the nodes, otherwise O(log regions).
  mutating func append(_ piece: Piece) {
    guard let sibling = appendIfRoom(piece) else { return }
    self = RegionTree(branch: [self, sibling])
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
}
