extension DataBuffer {
  /// The length from which appended bytes get a region of their own.
  static let ownRegionSize = 16 << 10

  /// Copies bytes to the end.
  ///
  /// A small append fills spare memory after the last region, when an earlier append created that
  /// memory and no other value has taken the place; the region grows then. Otherwise the bytes
  /// start a new region. Values that share the memory may append on several threads at once and
  /// never see each other's bytes (<doc:Rules#S49>). A value that loses its place to a copy before
  /// each append gets a region for each. The sum of the counts must fit in `Int`.
  ///
  /// - Complexity: Amortised O(bytes).
  public mutating func append(bytes: RawSpan) {
    requireUse(
      !count.addingReportingOverflow(bytes.byteCount).overflow,
      "The number of bytes of a concatenation fits in Int.",
      "S173"
    )
    if bytes.isEmpty { return }
    if bytes.byteCount >= Self.ownRegionSize { return append(DataBuffer(bytes: bytes)) }
    switch lastPiece?.extended(by: bytes) {
    case .longer(let piece): replaceLastPiece(by: piece)
    case .impossible(let capacity): append(bytes, capacity: capacity)
    case nil: append(bytes, capacity: nil)
    }
  }

  /// Adds the bytes of another buffer at the end without copying them, as `append(_:)` does.
  public mutating func append(contentsOf other: DataBuffer) {
    append(other)
  }

  /// Adds the bytes of a slice at the end without copying them, as `append(_:)` does.
  public mutating func append(contentsOf slice: Slice) {
    append(DataBuffer(slice))
  }

  /// Starts a region with spare capacity.
  private mutating func append(_ bytes: RawSpan, capacity: Int?) {
    let wanted = capacity ?? AppendClaim.smallestCapacity
    let room = GrowingBytes(capacity: Swift.max(wanted, bytes.byteCount))
    _ = room.claim.take(bytes.byteCount, at: 0)
    room.fill(bytes, at: 0)
    append(DataBuffer(owner: room, range: 0..<bytes.byteCount))
  }

  private var lastPiece: Piece? {
    switch storage {
    case .empty: nil
    case .region(let piece): piece
    case .tree(let tree): tree.lastPiece
    }
  }

  private mutating func replaceLastPiece(by piece: Piece) {
    guard case .tree(var tree) = storage else {
      storage = .region(piece)
      return
    }
    // While the storage is empty the variable is the only reference, so it changes in place.
    storage = .empty
    tree.replaceLastPiece(by: piece)
    storage = .tree(tree)
  }
}
