extension RegionTree {
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
