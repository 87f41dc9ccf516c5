extension RegionTree {
  /// A description of the first broken invariant, or `nil`; for tests.
  ///
  /// - Complexity: O(regions).
  var brokenInvariant: String? {
    if case .branch(let children) = content, children.count < 2 {
      return "a root with \(children.count) subtrees"
    }
    return brokenInvariant(height: height, isOnRightEdge: true, isRoot: true)
  }

  private func brokenInvariant(height: Int, isOnRightEdge: Bool, isRoot: Bool) -> String? {
    let fewest = isRoot || isOnRightEdge ? 1 : Self.minimum
    if entryCount < fewest || entryCount > Self.fanOut {
      return "a node of height \(height) with \(entryCount) entries"
    }
    switch content {
    case .leaf(let pieces):
      if height != 0 { return "a leaf at height \(height)" }
      if pieces.contains(where: { $0.byteCount <= 0 }) { return "an empty region" }
      if pieces.totalByteCount != byteCount { return "a wrong byte count in a leaf" }
      if pieces.count != regionCount { return "a wrong region count in a leaf" }
    case .branch(let children):
      if height == 0 { return "a branch at height 0" }
      if children.totalByteCount != byteCount { return "a wrong byte count in a branch" }
      if children.reduce(0, { $0 + $1.regionCount }) != regionCount {
        return "a wrong region count in a branch"
      }
      for (index, child) in children.enumerated() {
        let isLast = isOnRightEdge && index == children.count - 1
        let broken = child.brokenInvariant(
          height: height - 1,
          isOnRightEdge: isLast,
          isRoot: false
        )
        if let broken { return broken }
      }
    }
    return nil
  }
}
