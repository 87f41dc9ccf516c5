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
}
