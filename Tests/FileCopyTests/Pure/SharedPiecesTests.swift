import IOChannels
import IOChannelsSystem
import Testing

@testable import FileCopy

/// The bytes that destinations of a copy take from each other, without files and threads.
@Suite("Shared pieces of sources")
struct SharedPiecesTests {
  private static func status(
    _ number: UInt64 = 1,
    size: Int64 = 100,
    time: Int64 = 7
  ) -> FileStatus {
    let time = FileTime(seconds: time, nanoseconds: 0)
    return FileStatus(
      identity: FileIdentity(device: 1, inode: number),
      mode: 0o100644,
      size: size,
      accessed: time,
      modified: time,
      changed: time
    )
  }

  private static func file(_ number: UInt64 = 1) -> SharedPieces.File {
    SharedPieces.File(status(number))
  }

  private static let data: DataBuffer = [1, 2, 3, 4]

  /// The name of a step, and the number of bytes that it takes.
  private static func name(_ step: SharedPieces.Step) -> String {
    switch step {
    case .take(let data): "take \(data.count)"
    case .wait: "wait"
    case .read: "read"
    case .readAlone: "alone"
    }
  }

  /// Pieces of two destinations that have opened the file.
  private func pieces(
    destinations: Int = 2,
    byteLimit: Int = 16,
    pieceLimit: Int = 8
  ) -> SharedPieces {
    var pieces = SharedPieces(
      destinations: destinations,
      byteLimit: byteLimit,
      pieceLimit: pieceLimit
    )
    for _ in 0..<destinations { pieces.open(Self.file()) }
    return pieces
  }

  /// Returns the name of the next step at a position.
  private func next(
    _ pieces: inout SharedPieces,
    _ position: Int64,
    _ number: UInt64 = 1
  ) -> String {
    Self.name(pieces.next(Self.file(number), at: position))
  }

  @Test("The first destination reads, and each other one takes the bytes once (T72)")
  func taking() {
    var pieces = pieces(destinations: 3)
    #expect(next(&pieces, 0) == "read")
    let isAwaited = pieces.finish(Self.file(), at: 0, Self.data)
    #expect(!isAwaited)
    #expect(pieces.byteCount == 4)
    #expect(next(&pieces, 0) == "take 4")
    #expect(next(&pieces, 0) == "take 4")
    #expect(pieces.byteCount == 0)
    // A destination that copies the file again reads for itself.
    #expect(next(&pieces, 0) == "alone")
    #expect(next(&pieces, 4) == "read")
  }

  @Test("A destination waits for a read in progress at its position only (T72)")
  func waiting() {
    var pieces = pieces()
    #expect(next(&pieces, 0) == "read")
    #expect(next(&pieces, 0) == "wait")
    #expect(next(&pieces, 8) == "alone")
    let isAwaited = pieces.finish(Self.file(), at: 0, Self.data)
    #expect(isAwaited)
    #expect(next(&pieces, 0) == "take 4")
  }

  @Test("A failed read and an empty one leave nothing, and each destination reads (T72)")
  func failing() {
    var pieces = pieces()
    #expect(next(&pieces, 0) == "read")
    #expect(next(&pieces, 0) == "wait")
    let isAwaited = pieces.finish(Self.file(), at: 0, nil)
    #expect(isAwaited)
    #expect(next(&pieces, 0) == "read")
    let isAwaitedAgain = pieces.finish(Self.file(), at: 0, DataBuffer.empty)
    #expect(!isAwaitedAgain)
    #expect(next(&pieces, 0) == "read")
    #expect(pieces.byteCount == 0)
  }

  @Test("A destination that lags behind the limit of bytes reads for itself (T72)")
  func lag() {
    var pieces = pieces()
    for position in stride(from: Int64(0), to: 32, by: 4) {
      #expect(next(&pieces, position) == "read")
      _ = pieces.finish(Self.file(), at: position, Self.data)
      #expect(pieces.byteCount <= 16)
    }
    for position in stride(from: Int64(0), to: 16, by: 4) {
      #expect(next(&pieces, position) == "alone")
    }
    for position in stride(from: Int64(16), to: 32, by: 4) {
      #expect(next(&pieces, position) == "take 4")
    }
    #expect(next(&pieces, 32) == "read")
  }

  @Test("The number of pieces is limited, and files without pieces are forgotten (T72)")
  func manyFiles() {
    var pieces = pieces(byteLimit: 1000)
    pieces.close(Self.file())
    pieces.close(Self.file())
    #expect(pieces.fileCount == 0)
    for number in UInt64(2)...200 {
      pieces.open(Self.file(number))
      #expect(next(&pieces, 0, number) == "read")
      _ = pieces.finish(Self.file(number), at: 0, Self.data)
      pieces.close(Self.file(number))
      #expect(pieces.fileCount <= 8)
    }
    #expect(pieces.byteCount == 32)
    pieces.open(Self.file(200))
    #expect(next(&pieces, 0, 200) == "take 4")
    pieces.close(Self.file(200))
    #expect(pieces.fileCount == 7)
    // Pieces that were taken do not add up.
    for number in UInt64(1000)...2000 {
      for _ in 1...2 { pieces.open(Self.file(number)) }
      #expect(next(&pieces, 0, number) == "read")
      _ = pieces.finish(Self.file(number), at: 0, Self.data)
      #expect(next(&pieces, 0, number) == "take 4")
      for _ in 1...2 { pieces.close(Self.file(number)) }
    }
    #expect(pieces.fileCount == 0 && pieces.byteCount == 0)
  }

  @Test("The last destination takes what others have left, and leaves nothing itself (T72)")
  func lastDestination() {
    var pieces = pieces()
    #expect(next(&pieces, 0) == "read")
    _ = pieces.finish(Self.file(), at: 0, Self.data)
    #expect(next(&pieces, 4) == "read")
    pieces.close(Self.file())
    pieces.endDestination()
    _ = pieces.finish(Self.file(), at: 4, Self.data)
    #expect(next(&pieces, 0) == "take 4")
    #expect(next(&pieces, 4) == "alone")
    pieces.close(Self.file())
    #expect(pieces.fileCount == 0)
    pieces.open(Self.file(2))
    #expect(next(&pieces, 0, 2) == "alone")
    #expect(pieces.fileCount == 0)
  }

  @Test("A file is shared only if each later write gives it another time (T72)")
  func shownWrites() {
    let second: Int64 = 1_000_000_000
    var status = Self.status(time: 1000)
    status.blocks = 8
    status.changed.nanoseconds = 5_000_000
    let shows = { (status: FileStatus, milliseconds: Int64, isLocal: Bool) in
      SharedPieces.showsWrites(
        to: status,
        after: 1000 * second + milliseconds * 1_000_000,
        isLocal: isLocal
      )
    }
    #expect(shows(status, 16, true) && !shows(status, 15, true) && !shows(status, -5000, true))
    #expect(!shows(status, 3000, false) && shows(status, 3001, false))
    // Whole seconds may be those of a file system without parts of them.
    status.changed.nanoseconds = 0
    #expect(!shows(status, 2000, true) && shows(status, 3001, true))
    status.blocks = 0
    #expect(!shows(status, 5000, true))
  }

  @Test("A file that was written to is another version, whose bytes are read (T72)")
  func versions() {
    var pieces = pieces()
    #expect(next(&pieces, 0) == "read")
    _ = pieces.finish(Self.file(), at: 0, Self.data)
    for status in [Self.status(size: 101), Self.status(time: 8), Self.status(2)] {
      let other = SharedPieces.File(status)
      pieces.open(other)
      #expect(Self.name(pieces.next(other, at: 0)) == "read")
    }
    #expect(next(&pieces, 0) == "take 4")
  }
}
