/// What threads that copy one file together do next.
///
/// One thread at a time reads the next piece and one at a time writes the oldest that was read, so
/// that both go on side by side and in order. Nobody has a part of his own: a thread that is alone
/// does all of it.
struct PieceRelay<Piece: Sendable> {
  enum Step: Sendable {
    /// Fill the piece, then tell that with ``hasRead(_:count:)`` or ``end(_:_:)``.
    case read(Piece)
    /// Write so many bytes of the piece, then tell that with ``hasWritten(_:count:)`` or
    /// ``end(_:_:)``.
    case write(Piece, count: Int)
    /// Wait until the other thread has done something.
    case park
    /// Nothing is left to do, and nobody is in the middle of something.
    case leave
  }

  /// What somebody was doing.
  enum Part {
    case reading
    case writing
  }

  /// At most as many as there were at the start.
  private var empty: [Piece]
  private var filled: [(piece: Piece, count: Int)] = []
  private var isReading = false
  private var isWriting = false
  /// Nothing more is read: the source has ended, or something failed.
  private var hasEnded = false
  private(set) var failure: DataFailure?
  /// The bytes that were written.
  private(set) var count: Int64 = 0

  init(_ pieces: [Piece]) {
    precondition(!pieces.isEmpty, "A copy needs at least one piece.")
    empty = pieces
  }

  mutating func next() -> Step {
    if !isWriting, !filled.isEmpty {
      isWriting = true
      let (piece, count) = filled.removeFirst()
      return .write(piece, count: count)
    }
    if !isReading, !hasEnded, let piece = empty.popLast() {
      isReading = true
      return .read(piece)
    }
    return hasEnded && !isReading && !isWriting ? .leave : .park
  }

  /// The next bytes of the source are there.
  mutating func hasRead(_ piece: Piece, count: Int) {
    isReading = false
    // What was read beside a failure is not wanted any more.
    if failure == nil { filled.append((piece, count)) }
  }

  /// The oldest bytes stand in the destination.
  mutating func hasWritten(_ piece: Piece, count: Int) {
    isWriting = false
    self.count += Int64(count)
    empty.append(piece)
  }

  /// The source has ended, or reading or writing has failed; the first failure counts.
  mutating func end(_ part: Part, _ failure: DataFailure? = nil) {
    switch part {
    case .reading: isReading = false
    case .writing: isWriting = false
    }
    hasEnded = true
    guard let failure else { return }
    self.failure = self.failure ?? failure
    filled = []
  }
}
