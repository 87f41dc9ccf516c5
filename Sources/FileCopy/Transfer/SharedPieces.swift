import DataRegions
import IOChannelsSystem

/// The bytes that one destination of a copy has read, and that other destinations have not taken.
///
/// The first destination that comes to a piece of a file reads it. The others take the same bytes.
/// The number of bytes and pieces is limited, and the oldest piece is dropped for a new one. So no
/// destination waits for a slower one. A destination that lags behind the dropped pieces reads them
/// itself.
struct SharedPieces: Sendable {
  /// A version of a source file.
  ///
  /// A file that was written to between two destinations is another version.
  struct File: Hashable, Sendable {
    private let identity: FileIdentity
    private let size: Int64
    private let modified: FileTime
    private let changed: FileTime

    init(_ status: FileStatus) {
      identity = status.identity
      size = status.size
      modified = status.modified
      changed = status.changed
    }
  }

  /// The next step of a destination that needs the bytes at a position.
  enum Step: Sendable {
    /// Use these bytes.
    case take(DataBuffer)
    /// Wait until another destination has read the bytes, and request the next step.
    case wait
    /// Read the bytes, and then call ``finish(_:at:_:)``.
    case read
    /// Read the bytes for this destination only.
    case readAlone
  }

  private struct Piece: Sendable {
    let data: DataBuffer
    /// The number of destinations that may still take the piece.
    var takers: Int
  }

  private struct Pieces: Sendable {
    /// The number of copies that have the file open.
    var users = 0
    /// The end of the bytes that some destination has read for all.
    var end: Int64 = 0
    /// The position of the read for all that is in progress.
    var reading: Int64?
    /// Whether a destination waits for that read.
    var isAwaited = false
    var ready: [Int64: Piece] = [:]
  }

  private struct Place: Sendable {
    let file: File
    let position: Int64
  }

  /// The maximum number of bytes of all pieces.
  static let byteLimit = 64 << 20
  /// The maximum number of pieces, which limits those of small files.
  static let pieceLimit = 4096

  private let byteLimit: Int
  private let pieceLimit: Int
  /// The number of destinations that still copy.
  private var destinations: Int
  private var files: [File: Pieces] = [:]
  /// The places of the pieces by age. Some were taken by all destinations.
  private var ages: [Place] = []
  /// The index of the oldest place.
  private var oldest = 0
  /// The number of bytes of all pieces.
  private(set) var byteCount = 0
  /// The number of files that have pieces or are open.
  var fileCount: Int { files.count }

  init(
    destinations: Int,
    byteLimit: Int = SharedPieces.byteLimit,
    pieceLimit: Int = SharedPieces.pieceLimit
  ) {
    self.destinations = destinations
    self.byteLimit = byteLimit
    self.pieceLimit = pieceLimit
  }

  /// Whether each write to a file after the time `now`, in nanoseconds since 1970, makes it another
  /// version.
  ///
  /// A write in the same tick of the clock as the last one changes no time. The ticks are short if
  /// this system's clock gives the file its times (`isLocal`). A generated file has no blocks, and
  /// its times mean nothing.
  static func showsWrites(
    to status: FileStatus,
    after now: Int64,
    isLocal: @autoclosure () -> Bool
  ) -> Bool {
    if status.blocks == 0 { return false }
    if PartialFile.isUnchanged(status, since: now) { return true }
    let changed = status.changed
    // Some file systems store whole seconds.
    guard changed.nanoseconds > 0, isLocal() else { return false }
    let (whole, overflows) = changed.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return !overflows && whole < now - ResumeRule.tick - Int64(changed.nanoseconds)
  }

  /// Records that a destination has opened a file.
  mutating func open(_ file: File) {
    // The last destination only takes what others have left.
    if destinations > 1 {
      files[file, default: Pieces()].users += 1
    } else {
      files[file]?.users += 1
    }
  }

  /// Records that a destination has closed a file.
  mutating func close(_ file: File) {
    files[file]?.users -= 1
    forgetIfUnused(file)
  }

  /// Records that a destination has ended. The others may still take what it has read.
  mutating func endDestination() { destinations -= 1 }

  /// Returns the next step of a destination that needs the bytes at a position of an open file.
  mutating func next(_ file: File, at position: Int64) -> Step {
    if let data = take(file, position) { return .take(data) }
    guard let pieces = files[file] else { return .readAlone }
    if pieces.reading == position {
      files[file]?.isAwaited = true
      return .wait
    }
    // The bytes were dropped, another destination is further ahead, or all others have ended.
    if pieces.reading != nil || position < pieces.end || destinations < 2 { return .readAlone }
    files[file]?.reading = position
    return .read
  }

  /// Records the end of a read for all destinations.
  ///
  /// `data` is nil if the read has failed. Each waiting destination then reads by itself, and
  /// reports its own error.
  ///
  /// - Returns: Whether destinations wait for the read.
  mutating func finish(_ file: File, at position: Int64, _ data: DataBuffer?) -> Bool {
    guard let pieces = files[file], pieces.reading == position else { return false }
    files[file]?.reading = nil
    files[file]?.isAwaited = false
    if let data, !data.isEmpty, destinations > 1 {
      files[file]?.end = max(pieces.end, position + Int64(data.count))
      files[file]?.ready[position] = Piece(data: data, takers: destinations - 1)
      byteCount += data.count
      ages.append(Place(file: file, position: position))
      dropOldest()
    }
    forgetIfUnused(file)
    return pieces.isAwaited
  }

  private mutating func take(_ file: File, _ position: Int64) -> DataBuffer? {
    guard let piece = files[file]?.ready[position] else { return nil }
    if piece.takers > 1 {
      files[file]?.ready[position]?.takers -= 1
    } else {
      drop(file, position)
    }
    return piece.data
  }

  /// Drops the oldest pieces beyond the limits.
  private mutating func dropOldest() {
    while oldest < ages.count, byteCount > byteLimit || ages.count - oldest > pieceLimit {
      let place = ages[oldest]
      oldest += 1
      drop(place.file, place.position)
      forgetIfUnused(place.file)
    }
    guard oldest > pieceLimit else { return }
    ages.removeFirst(oldest)
    oldest = 0
  }

  private mutating func drop(_ file: File, _ position: Int64) {
    guard let piece = files[file]?.ready.removeValue(forKey: position) else { return }
    byteCount -= piece.data.count
  }

  private mutating func forgetIfUnused(_ file: File) {
    guard let pieces = files[file], pieces.users == 0, pieces.reading == nil,
      pieces.ready.isEmpty
    else { return }
    files[file] = nil
  }
}
