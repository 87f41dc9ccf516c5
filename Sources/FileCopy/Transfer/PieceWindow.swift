/// The pieces of a file that are in flight between two channels.
///
/// Several pieces are in flight at a time. Each one is read and written at its own offset, so that
/// reads and writes overlap. No piece beyond the estimated length begins before all others have
/// arrived. Then reads of one piece at a time find the real end.
struct PieceWindow: Sendable {
  /// The length of a piece, which the routing of writes treats as large.
  static let pieceLength: Int64 = 1 << 20
  /// The maximum number of pieces in flight.
  static let depth = 4

  private struct Piece: Sendable {
    let range: Range<Int64>
    var received: Int64 = 0
    var isRead = false
    var writes = 0
  }

  private let range: Range<Int64>
  private let guess: Int64
  private var next: Int64
  private var pieces: [Int64: Piece] = [:]
  /// The end of the file that a read found.
  private var end: Int64?
  /// Whether only one piece is in flight at a time, after a read found an end before the estimated
  /// length.
  private var isInOrder = false
  /// The first failure. No piece is begun after it.
  private(set) var failure: DataFailure?
  private var isFinished = false

  /// Creates a window over a range.
  ///
  /// - Parameters:
  ///   - range: The range to copy. It may extend past the end of the file.
  ///   - guess: The estimated end of the file.
  init(_ range: Range<Int64>, guess: Int64) {
    self.range = range
    self.guess = guess
    next = range.lowerBound
  }

  /// The number of bytes that were copied, from the start of the range.
  var copiedCount: Int64 { (end ?? next) - range.lowerBound }

  /// Begins the next piece and returns it; nil if none can begin now.
  mutating func begin() -> Range<Int64>? {
    continueAfterEarlyEnd()
    let depth = isInOrder ? 1 : PieceWindow.depth
    guard mayBegin, pieces.count < depth, next < guess || pieces.isEmpty else { return nil }
    let upper = next + min(PieceWindow.pieceLength, range.upperBound - next)
    let piece = Piece(range: next..<upper)
    pieces[next] = piece
    next = upper
    return piece.range
  }

  /// Continues after an end that lies before the estimated length.
  ///
  /// On some file systems the length changes with each read, and a read that overlaps others may
  /// find a false end. Reads in order return the bytes, or find the end again.
  private mutating func continueAfterEarlyEnd() {
    guard pieces.isEmpty, failure == nil, !isInOrder, let end, end < guess else { return }
    isInOrder = true
    next = end
    self.end = nil
  }

  /// Finishes the window if no piece is in flight and none is left to begin.
  ///
  /// - Returns: Whether this call finished it.
  mutating func finish() -> Bool {
    guard !isFinished, pieces.isEmpty, !mayBegin else { return false }
    isFinished = true
    return true
  }

  /// Records bytes of a piece that were read and are written now.
  ///
  /// - Returns: The offset at which they are written.
  mutating func received(_ count: Int, of start: Int64) -> Int64 {
    let offset = start + (pieces[start]?.received ?? 0)
    pieces[start]?.received += Int64(count)
    pieces[start]?.writes += 1
    return offset
  }

  /// Records that the read of a piece has ended.
  mutating func readEnded(of start: Int64, _ failure: DataFailure?) {
    guard let piece = pieces[start] else { return }
    record(failure)
    let reached = start + piece.received
    if failure == nil, reached < piece.range.upperBound { end = min(end ?? reached, reached) }
    pieces[start]?.isRead = true
    retire(start)
  }

  /// Records the end of a write.
  mutating func writeEnded(of start: Int64, _ failure: DataFailure?) {
    record(failure)
    pieces[start]?.writes -= 1
    retire(start)
  }

  /// Stops the copy: no further piece begins, and pieces in flight run to completion.
  ///
  /// It has no effect if no piece is left to begin.
  mutating func stop() {
    if mayBegin { record(DataFailure(side: .stopping, error: .canceled)) }
  }

  private var mayBegin: Bool { failure == nil && end == nil && next < range.upperBound }

  private mutating func record(_ failure: DataFailure?) {
    if self.failure == nil { self.failure = failure }
  }

  private mutating func retire(_ start: Int64) {
    if let piece = pieces[start], piece.isRead, piece.writes == 0 { pieces[start] = nil }
  }
}
