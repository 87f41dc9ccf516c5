import DataRegions
import Synchronization
import IOChannelsSystem

/// The division of a buffered write to a file into pieces (S178).
///
/// For a longer write ext4 and xfs allocate folios of up to 2 MiB. On a virtual machine that
/// reports free memory to its host, the host must first supply such memory again
/// (`B15.ext4-to-ext4`).
extension Request {
  /// The most bytes that one call, or one entry of a ring, writes to a file through the page cache.
  package static let pieceLimit = 256 << 10

  /// The range that the kernel has or gets next, which is everything for a request without pieces.
  package var piece: Range<Int> { extras?.piece ?? 0..<length }

  /// The offset of the piece in the file, nil for the file position.
  package var pieceOffset: Int64? { offset.map { $0 &+ Int64(piece.lowerBound) } }

  /// Whether the request writes to a file through the page cache.
  package var isBufferedWrite: Bool {
    kind == .write && traits.kind == .seekable && (!traits.isDirect || needsPageCache)
  }

  /// Returns at most `limit` bytes from the start of the piece.
  func bytes(ofPieceOf data: DataBuffer, limit: Int = .max) -> DataBuffer {
    let piece = piece
    let count = min(piece.count, limit)
    if count == data.count { return data }
    return data.subdata(in: piece.lowerBound..<piece.lowerBound + count)
  }

  /// Limits the piece of a buffered write to `limit` bytes, before the kernel gets it.
  package func cut(at limit: Int) {
    guard isBufferedWrite else { return }
    let piece = piece
    let next = piece.lowerBound..<piece.lowerBound + min(limit, length - piece.lowerBound)
    if next == piece { return }
    makeExtras().piece = next
    vectors = nil
  }

  /// Advances to the next piece, if the kernel transferred all of this one.
  ///
  /// - Returns: Whether to submit the request again.
  package func continues(after count: Int) -> Bool {
    let piece = piece
    guard count == piece.count, piece.upperBound < length,
      !isCancelled.load(ordering: .acquiring)
    else { return false }
    makeExtras().piece = piece.upperBound..<length
    vectors = nil
    attempts = 0
    return true
  }

  /// Returns the result for all pieces, given that of the last submitted one.
  ///
  /// If earlier pieces were written an error is not reported. The owner receives the number of
  /// bytes and submits the rest, which meets the error again, as after a short write of the kernel.
  package func whole(_ result: TransferResult) -> TransferResult {
    let written = piece.lowerBound
    if written == 0 { return result }
    return switch result {
    case .success(let count): .success(written + count)
    case .failure: .success(written)
    }
  }

  /// Returns the result for all pieces in the kernel's form, in which an error is negative.
  func whole(_ answer: Int32) -> Int32 {
    let written = Int32(clamping: piece.lowerBound)
    return written == 0 ? answer : written + max(answer, 0)
  }

  /// Forgets the written pieces, for a request whose pending piece has an unknown result.
  func forgetPieces() { extras?.piece = nil }
}
