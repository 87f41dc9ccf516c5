extension DataBuffer {
  /// The size below which neighbours are merged: keeping a region costs about a tenth of it.
  static let smallRegionSize = 1 << 10

  /// Returns the same bytes in regions that keep at most twice as much memory as they have bytes.
  ///
  /// A region keeps all of the memory that it is a part of. Where the regions show less than half
  /// of some memory, their bytes are copied, and the result no longer keeps that memory.
  /// Neighbouring regions of less than 1 KiB are merged. Copied bytes take memory of their exact
  /// size; the other regions are shared as before. Memory without a deallocator does not count,
  /// because no buffer frees it. Of memory that was passed without a copy, only the bytes that were
  /// passed count: memory that its deallocator or owner keeps besides is unknown (<doc:Rules#S52>).
  ///
  /// - Complexity: O(regions + copied bytes)
  public func compacted() -> DataBuffer {
    if isEmpty { return self }
    let regions = Array(self.regions)
    var isCopied = Self.smallNeighbours(regions)
    let others = zip(regions, isCopied).lazy.filter { !$0.1 }.map { $0.0.piece }
    let wasteful = Self.wastefulKeepers(others)
    for (index, region) in regions.enumerated()
    where wasteful.contains(region.piece.keeperIdentity) {
      isCopied[index] = true
    }
    guard isCopied.contains(true) else { return self }

    var result = DataBuffer()
    var index = 0
    while index < regions.count {
      let first = index
      repeat { index += 1 } while index < regions.count && isCopied[first] && isCopied[index]
      if isCopied[first] {
        let end = regions[index - 1].offset + regions[index - 1].count
        result.append(subdata(in: regions[first].offset..<end).copiedWhole())
      } else {
        result.append(DataBuffer(regions[first]))
      }
    }
    return result
  }

  /// Returns, for each region, whether it is small and has a small neighbour.
  private static func smallNeighbours(_ regions: [Region]) -> [Bool] {
    let isSmall = [false] + regions.map { $0.count < smallRegionSize } + [false]
    return (1...regions.count).map { isSmall[$0] && (isSmall[$0 - 1] || isSmall[$0 + 1]) }
  }

  /// Returns the keepers of more than twice the memory that the pieces show of it.
  private static func wastefulKeepers(_ pieces: some Sequence<Piece>) -> Set<ObjectIdentifier> {
    var unseen: [ObjectIdentifier: Int] = [:]
    for piece in pieces {
      let keeper = piece.keeper
      let half = keeper.keptByteCount / 2 + keeper.keptByteCount % 2
      unseen[piece.keeperIdentity, default: half] -= piece.byteCount
    }
    return Set(unseen.lazy.filter { $0.value > 0 }.map(\.key))
  }

  /// Returns the same bytes in one region of exactly their size.
  private func copiedWhole() -> DataBuffer {
    guard case .region(let piece) = storage else { return flattened() }
    return DataBuffer(bytes: piece.bytes)
  }
}
