import DataRegions
import Synchronization
import IOChannelsSystem

/// How a buffered write of a file reaches the kernel: a piece at a time (S178).
///
/// For a longer write ext4 and xfs allocate folios of up to 2 MiB. On a virtual machine that
/// reports free memory to its host, the host must bring such memory back first
/// (`B15.ext4-to-ext4`).
extension Request {
  /// The most bytes of a file that one call, or one entry of a ring, writes through the page cache.
  package static let pieceLimit = 256 << 10

  /// The bytes that the kernel has, or gets next: all of them where the request is not cut.
  package var piece: Range<Int> { extras?.piece ?? 0..<length }

  /// Where in the file the piece begins, or `nil` for the file position.
  package var pieceOffset: Int64? { offset.map { $0 &+ Int64(piece.lowerBound) } }

  /// A Boolean value that indicates whether the request writes to a file through the page cache.
  package var isBufferedWrite: Bool {
    kind == .write && traits.kind == .seekable && (!traits.isDirect || needsPageCache)
  }

  /// The first bytes of the piece, `limit` at most, of all that a write was given.
  func bytes(ofPieceOf data: DataBuffer, limit: Int = .max) -> DataBuffer {
    let piece = piece
    let count = min(piece.count, limit)
    if count == data.count { return data }
    return data.subdata(in: piece.lowerBound..<piece.lowerBound + count)
  }

  /// Cuts what is left of a buffered write, before the kernel gets it.
  package func cut(at limit: Int) {
    guard isBufferedWrite else { return }
    let piece = piece
    let next = piece.lowerBound..<piece.lowerBound + min(limit, length - piece.lowerBound)
    if next == piece { return }
    makeExtras().piece = next
    vectors = nil
  }

  /// Goes on to the next piece, where the kernel moved all of this one.
  ///
  /// - Returns: Whether the kernel is to get the request once more.
  package func goesOn(after count: Int) -> Bool {
    let piece = piece
    guard count == piece.count, piece.upperBound < length,
      !isCancelled.load(ordering: .acquiring)
    else { return false }
    makeExtras().piece = piece.upperBound..<length
    vectors = nil
    attempts = 0
    return true
  }

  /// The answer for all pieces, of which this is the last one that the kernel gets.
  ///
  /// Where earlier ones were written an error is not told: the owner learns of the bytes, goes on
  /// with the rest, and meets the error there, as after a short write of the kernel's.
  package func whole(_ result: TransferResult) -> TransferResult {
    let written = piece.lowerBound
    if written == 0 { return result }
    return switch result {
    case .success(let count): .success(written + count)
    case .failure: .success(written)
    }
  }

  /// The same for an answer as the kernel gives it, negative for an error.
  func whole(_ answer: Int32) -> Int32 {
    let written = Int32(clamping: piece.lowerBound)
    return written == 0 ? answer : written + max(answer, 0)
  }

  /// Forgets which pieces were written, where the result of the one under way stays unknown.
  func forgetPieces() { extras?.piece = nil }
}
