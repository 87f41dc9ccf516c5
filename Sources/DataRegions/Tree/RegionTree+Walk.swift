extension RegionTree {
  /// Calls `body` with each run of bytes inside `range` and its offset, in order, until it
  /// answers `false`, and returns whether it never did.
  ///
  /// Offsets count from where the tree's first byte has the offset `base`; the range may reach
  /// beyond the tree.
  func walk<Failure>(
    _ range: Range<Int>,
    at base: Int,
    _ body: (RawSpan, Int) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    switch content {
    case .leaf(let pieces):
      return try Self.walkLeaf(pieces, range, at: base, body)
    case .branch(let children):
      var end = base
      for index in children.indices {
        let start = end
        if start >= range.upperBound { break }
        end += children[index].byteCount
        if end <= range.lowerBound { continue }
        guard try children[index].walk(range, at: start, body) else { return false }
      }
      return true
    }
  }

  private static func walkLeaf<Failure>(
    _ pieces: ContiguousArray<Piece>,
    _ range: Range<Int>,
    at base: Int,
    _ body: (RawSpan, Int) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let entries = pieces.span
    var end = base
    for index in entries.indices {
      let start = end
      end += entries[index].byteCount
      let lower = max(start, range.lowerBound)
      let upper = min(end, range.upperBound)
      if lower >= upper { continue }
      let bytes = entries[index].bytes.extracting(lower - start..<upper - start)
      guard try body(bytes, lower) else { return false }
    }
    return true
  }
}
