import IOChannelsEngine

/// The position of an operation's bytes in the blocks of a file without page cache (`O_DIRECT`).
///
/// Offsets, lengths and addresses of such transfers are multiples of the block.
struct DirectBlocks: Hashable, Sendable {
  /// The size of a block; devices with smaller blocks accept it as well.
  static let size = Request.directBlockSize

  /// The file offset at which the operation begins.
  private let first: Int64

  /// Creates the blocks of an operation, or nil where blocks do not matter.
  ///
  /// They do not matter for a file that is read through the page cache, and on FUSE. FUSE accepts
  /// any offset and length, and there a read that ends inside a block may be short without being
  /// the last.
  init?(of place: TransferPlace) {
    let traits = place.file.traits
    guard let first = place.first, traits.isDirect, traits.kind == .seekable,
      traits.fileSystem != .fuse
    else { return nil }
    self.first = first
  }

  /// Returns the number of bytes between the start of a block and a byte of the operation in it.
  func head(at offset: Int) -> Int {
    // An overflow does not change the remainder of a power of two.
    Int(first &+ Int64(offset)) & (Self.size - 1)
  }

  /// Returns the end of the block before a place, for places that are counted from a block on.
  static func end(of place: Int) -> Int { (place + size - 1) & ~(size - 1) }
}
