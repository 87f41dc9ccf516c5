@testable import DataRegions

/// A buffer with one region for each array.
func buffer(_ parts: [UInt8]...) -> DataBuffer {
  parts.reduce(into: DataBuffer()) { $0.append(DataBuffer($1)) }
}

/// A buffer with `count` regions of one byte, whose values are their numbers.
func singleBytes(_ count: Int, from first: Int = 0) -> DataBuffer {
  (first..<first + count).reduce(into: DataBuffer()) {
    $0.append(DataBuffer(CollectionOfOne(UInt8(truncatingIfNeeded: $1))))
  }
}

extension DataBuffer {
  /// The sizes of the regions.
  var sizes: [Int] { regions.map(\.count) }

  /// The bytes of memory that the buffer keeps taken.
  var keptByteCount: Int {
    let keepers = regions.map { ($0.piece.keeperIdentity, $0.piece.keeper.keptByteCount) }
    return Dictionary(keepers) { first, _ in first }.values.reduce(0, +)
  }
}
