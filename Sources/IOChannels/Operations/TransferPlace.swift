/// The file of an operation and the place of its first byte, determined when the operation starts.
struct TransferPlace: Sendable {
  let file: OpenFile
  /// The file offset of the first byte; nil where the kernel decides.
  ///
  /// The kernel decides for files without offsets, for appends, and for the few regular files
  /// without a position, such as some of tracefs.
  let first: Int64?
  /// Whether the file position has to follow the bytes.
  var movesPosition = false
}
