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
}
