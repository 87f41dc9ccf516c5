extension RegionTree {
  /// Returns the regions of `left`, then those of `right`.
  ///
  /// - Complexity: O(log regions); neither is walked.
  static func concatenated(_ left: RegionTree, _ right: RegionTree) -> RegionTree {
    let nodes = joined(left, left.height, right, right.height)
    return nodes.count == 1 ? nodes[0] : RegionTree(branch: nodes)
  }

  /// Joins two trees along the seam from the higher root down to the leaves.
  ///
  /// Joining down to the leaves is what lets the right edge of `left` hold fewer entries than
  /// `minimum`: the seam is where such nodes find neighbours.
  ///
  /// - Returns: One or two trees of the greater height.
  private static func joined(
    _ left: RegionTree,
    _ leftHeight: Int,
    _ right: RegionTree,
    _ rightHeight: Int
  ) -> ContiguousArray<RegionTree> {
    let height = max(leftHeight, rightHeight)
    if height == 0 { return merged(left, right) }

    var (before, leftSeam, leftSeamHeight) = (ContiguousArray<RegionTree>(), left, leftHeight)
    if leftHeight == height, case .branch(let children) = left.content {
      before = children
      leftSeam = before.removeLast()
      leftSeamHeight -= 1
    }
    var (after, rightSeam, rightSeamHeight) = (ArraySlice<RegionTree>(), right, rightHeight)
    if rightHeight == height, case .branch(let children) = right.content {
      after = ArraySlice(children.dropFirst())
      rightSeam = children[0]
      rightSeamHeight -= 1
    }
    before += joined(leftSeam, leftSeamHeight, rightSeam, rightSeamHeight)
    before += after
    return packed(before, RegionTree.init(branch:))
  }

  /// Returns the entries of two trees of equal height in one tree or, when they are too many, in
  /// two.
  static func merged(_ left: RegionTree, _ right: RegionTree) -> ContiguousArray<RegionTree> {
    switch (left.content, right.content) {
    case (.leaf(let first), .leaf(let second)):
      packed(first + second, RegionTree.init(leaf:))
    case (.branch(let first), .branch(let second)):
      packed(first + second, RegionTree.init(branch:))
    default:
      preconditionFailure("Nodes that are merged have the same height.")
    }
  }

  private static func packed<Entry>(
    _ entries: ContiguousArray<Entry>,
    _ node: (ContiguousArray<Entry>) -> RegionTree
  ) -> ContiguousArray<RegionTree> {
    if entries.count <= fanOut { return [node(entries)] }
    let middle = entries.count / 2
    return [
      node(ContiguousArray(entries[..<middle])), node(ContiguousArray(entries[middle...])),
    ]
  }

  /// Returns the regions that hold `range`, the outer ones cut to it.
  ///
  /// Regions outside of the range are not kept.
  ///
  /// - Complexity: O(log regions).
  func slice(_ range: Range<Int>) -> RegionTree {
    trimmed(to: range).mended()
  }

  /// Returns the tree cut to `range` with its height kept, so that nodes on both edges may be
  /// small.
  func trimmed(to range: Range<Int>) -> RegionTree {
    switch content {
    case .leaf(let pieces): RegionTree(leaf: pieces.trimmed(to: range))
    case .branch(let children): RegionTree(branch: children.trimmed(to: range))
    }
  }

  /// Restores the `minimum` of the nodes on the left edge and drops roots with one entry.
  ///
  /// The repair runs from the top down, so every node has a neighbour to merge with: its parent was
  /// repaired before. A merge takes an entry from the parent, which is why a node with exactly the
  /// minimum is merged too.
  private func mended() -> RegionTree {
    guard case .branch(var children) = content else { return self }
    if children.count > 1, children[0].entryCount <= Self.minimum {
      children.replaceSubrange(0..<2, with: Self.merged(children[0], children[1]))
    }
    if children.count == 1 { return children[0].mended() }
    children[0] = children[0].mended()
    return RegionTree(branch: children)
  }
}

extension ContiguousArray where Element: TreeEntry {
  /// Returns the entries that hold `range`, the outer ones cut to it.
  fileprivate func trimmed(to range: Range<Int>) -> ContiguousArray {
    var kept: ContiguousArray = []
    var end = 0
    for index in indices {
      let start = end
      end += self[index].byteCount
      if end <= range.lowerBound { continue }
      if start >= range.upperBound { break }
      let part = range.clamped(to: start..<end)
      let isWhole = part == start..<end
      kept.append(
        isWhole
          ? self[index]
          : self[index].trimmed(to: part.lowerBound - start..<part.upperBound - start)
      )
    }
    return kept
  }
}
