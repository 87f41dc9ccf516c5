/// Which pieces of a file are on their way between two channels.
///
/// Several pieces are under way at a time, each read and written at its own offset, so that reading
/// goes on beside writing. Nothing is asked for beyond the guessed length until all before it has
/// come; then one piece at a time finds the real end.
struct PieceWindow: Sendable {
  /// How much is read at a time: what the routing of writes calls large.
  static let pieceLength: Int64 = 1 << 20
  /// How many pieces are under way at most.
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
  /// Where a read found the end of the file.
  private var end: Int64?
  /// Whether one piece is under way at a time: on FUSE, and where an end before the guessed length
  /// was found.
  private var isInOrder: Bool
  /// The first failure; nothing is begun after it.
  private(set) var failure: DataFailure?
  private var isFinished = false

  /// - Parameters:
  ///   - range: What to copy; it may reach behind the end of the file.
  ///   - guess: Where the file seems to end.
  ///   - isInOrder: Whether no piece is read beside another one.
  init(_ range: Range<Int64>, guess: Int64, isInOrder: Bool = false) {
    self.isInOrder = isInOrder
    self.range = range
    self.guess = guess
    next = range.lowerBound
  }

  /// The bytes that were copied, counted from the start of the range.
  var copiedCount: Int64 { (end ?? next) - range.lowerBound }

  /// The next piece to read, nil while enough is under way.
  mutating func begin() -> Range<Int64>? {
    lookBehindEarlyEnd()
    let depth = isInOrder ? 1 : PieceWindow.depth
    guard mayBegin, pieces.count < depth, next < guess || pieces.isEmpty else { return nil }
    let upper = min(range.upperBound, next.addingReportingOverflow(PieceWindow.pieceLength).0)
    let piece = Piece(range: next..<upper)
    pieces[next] = piece
    next = upper
    return piece.range
  }

  /// Goes on behind an end that lies before the guessed length.
  ///
  /// Some file systems name another length at each read, and a read beside others may find an end
  /// that is none. Read in order the bytes are there, or the end is found again.
  private mutating func lookBehindEarlyEnd() {
    guard pieces.isEmpty, failure == nil, !isInOrder, let end, end < guess else { return }
    isInOrder = true
    next = end
    self.end = nil
  }

  /// Notes that nothing is under way and nothing is left to begin.
  ///
  /// - Returns: Whether this is so for the first time.
  mutating func finish() -> Bool {
    guard !isFinished, pieces.isEmpty, !mayBegin else { return false }
    isFinished = true
    return true
  }

  /// Notes bytes of a piece, which are written now.
  ///
  /// - Returns: The offset where they belong.
  mutating func received(_ count: Int, of start: Int64) -> Int64 {
    let offset = start + (pieces[start]?.received ?? 0)
    pieces[start]?.received += Int64(count)
    pieces[start]?.writes += 1
    return offset
  }

  /// Notes that a piece has no more bytes to come.
  mutating func readEnded(of start: Int64, _ failure: DataFailure?) {
    guard let piece = pieces[start] else { return }
    note(failure)
    let reached = start + piece.received
    if failure == nil, reached < piece.range.upperBound { end = min(end ?? reached, reached) }
    pieces[start]?.isRead = true
    retire(start)
  }

  /// Notes the end of a write.
  mutating func writeEnded(of start: Int64, _ failure: DataFailure?) {
    note(failure)
    pieces[start]?.writes -= 1
    retire(start)
  }

  /// Begins nothing more; what is under way ends. A copy that is complete but for this stays so.
  mutating func stop() {
    if mayBegin { note(DataFailure(side: .stopping, error: .canceled)) }
  }

  private var mayBegin: Bool { failure == nil && end == nil && next < range.upperBound }

  private mutating func note(_ failure: DataFailure?) {
    if self.failure == nil { self.failure = failure }
  }

  private mutating func retire(_ start: Int64) {
    if let piece = pieces[start], piece.isRead, piece.writes == 0 { pieces[start] = nil }
  }
}
