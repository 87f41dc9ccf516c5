import IOChannelsEngine

/// Where wanted bytes lie in the blocks that a file without page cache (`O_DIRECT`) is read by.
///
/// Offsets, lengths and addresses of such transfers are multiples of the block.
struct DirectBlocks: Hashable, Sendable {
  /// Where less would do, a few bytes too many are read.
  static let size = Request.directBlockSize

  /// The file offset at which the operation begins.
  private let first: Int64

  /// - Returns: `nil` for a file that is read through the page cache, and on FUSE, which takes any
  ///   offset and length, and where a read that ends inside of a block may be short and not the
  ///   last.
  init?(of file: OpenFile?, first: Int64?) {
    guard let file, let first, file.traits.isDirect, file.traits.kind == .seekable,
      file.traits.fileSystem != .fuse
    else { return nil }
    self.first = first
  }

  /// How many bytes of its block come before a byte of the operation.
  func head(at offset: Int) -> Int {
    // Overflow cannot change what is left of a power of two.
    Int(first &+ Int64(offset)) & (Self.size - 1)
  }

  /// The end of the block that has the byte before a place, for places counted from a block on.
  static func end(of place: Int) -> Int { (place + size - 1) & ~(size - 1) }
}
