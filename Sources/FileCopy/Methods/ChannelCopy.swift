import SystemCalls

/// Copies between two file systems, where the kernel does not copy by itself.
enum ChannelCopy {
  /// How much is read at a time.
  static let chunkLength = 1 << 20

  /// Copies from the source's file position until a read gives nothing, and counts the bytes.
  static func copy(
    _ ends: CopyEnds,
    sizeHint: Int64,
    _ buffer: inout [UInt8]
  ) throws(DataFailure) -> Int64 {
    try ends.copyStream(&buffer)
  }
}
