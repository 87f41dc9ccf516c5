extension RegionTree {
  /// Calls `body` with each run of bytes inside `range` and its offset, in order, until it sets
  /// its last parameter, which is `stop`.
  ///
  /// Offsets count from where the tree's first byte has the offset `base`; the range may reach
  /// beyond the tree.
  func walk<Failure>(
    _ range: Range<Int>,
    at base: Int,
    _ stop: inout Bool,
    _ body: (RawSpan, Int, inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    switch content {
    case .leaf(let pieces):
      try Self.walkLeaf(pieces, range, at: base, &stop, body)
    case .branch(let children):
      var end = base
      for index in children.indices {
        let start = end
        if stop || start >= range.upperBound { return }
        end += children[index].byteCount
        if end <= range.lowerBound { continue }
        try children[index].walk(range, at: start, &stop, body)
      }
    }
  }

  /// Calls `body` with the runs of bytes that `walk(_:at:_:_:)` shows, from the last to the first.
  func walkBackwards(
    _ range: Range<Int>,
    at base: Int,
    _ stop: inout Bool,
    _ body: (RawSpan, Int, inout Bool) -> Void
  ) {
    var start = base + byteCount
    switch content {
    case .leaf(let pieces):
      for piece in pieces.reversed() where !stop {
        start -= piece.byteCount
        let part = range.clamped(to: start..<start + piece.byteCount)
        if part.isEmpty { continue }
        let bytes = piece.bytes.extracting(part.lowerBound - start..<part.upperBound - start)
        body(bytes, part.lowerBound, &stop)
      }
    case .branch(let children):
      for child in children.reversed() where !stop && start > range.lowerBound {
        start -= child.byteCount
        if start < range.upperBound { child.walkBackwards(range, at: start, &stop, body) }
      }
    }
  }

  private static func walkLeaf<Failure>(
    _ pieces: ContiguousArray<Piece>,
    _ range: Range<Int>,
    at base: Int,
    _ stop: inout Bool,
    _ body: (RawSpan, Int, inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    let entries = pieces.span
    var end = base
    for index in entries.indices {
      let start = end
      end += entries[index].byteCount
      let lower = max(start, range.lowerBound)
      let upper = min(end, range.upperBound)
      if lower >= upper { continue }
      try body(entries[index].bytes.extracting(lower - start..<upper - start), lower, &stop)
      if stop { return }
    }
  }

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
