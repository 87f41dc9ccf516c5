import DataRegions

/// The bytes that a reader of lines has read and not yet returned.
struct LineBuffer {
  /// The result of a search for a line.
  enum Found {
    case line(DataBuffer)
    /// The end of the line has not been read, or there are no bytes.
    case incomplete
    case tooLong
  }

  /// The size below which adjacent pieces are copied together.
  private static let smallPieceLimit = 4096

  /// The offset of the first byte.
  private(set) var start: Int64
  private let lengthLimit: Int
  private var bytes = DataBuffer.empty
  /// The number of bytes at the start that are known to hold no line feed.
  private var searched = 0

  init(start: Int64, lengthLimit: Int) {
    self.start = start
    self.lengthLimit = lengthLimit
  }

  /// Whether there are no bytes.
  var isEmpty: Bool { bytes.isEmpty }

  /// Adds a piece that was read.
  mutating func add(_ piece: DataBuffer) {
    if bytes.isEmpty || piece.count >= Self.smallPieceLimit { return bytes.append(piece) }
    // A region for every few bytes would cost many times their size.
    for region in piece.regions { bytes.append(bytes: region.bytes) }
  }

  /// Removes the first line and the bytes that end it; one that is too long stays.
  ///
  /// At the end of the file the last line needs no line feed.
  mutating func takeLine(atEnd isAtEnd: Bool) -> Found {
    let feed = bytes.firstIndex(of: 0x0a, in: searched..<bytes.count)
    searched = feed ?? bytes.count
    if let feed {
      let isReturned = feed > 0 && bytes[feed - 1] == 0x0d
      return take(isReturned ? feed - 1 : feed, removing: feed + 1)
    }
    if isAtEnd, !bytes.isEmpty { return take(bytes.count, removing: bytes.count) }
    // The last byte may be a carriage return, which is no part of the line.
    return bytes.count - 1 > lengthLimit ? .tooLong : .incomplete
  }

  private mutating func take(_ length: Int, removing count: Int) -> Found {
    if length > lengthLimit { return .tooLong }
    let line = bytes.subdata(in: 0..<length)
    remove(count)
    return .line(line)
  }

  /// Removes the first bytes, at most so many.
  mutating func takeBytes(upTo limit: Int) -> DataBuffer {
    let taken = bytes.subdata(in: 0..<min(limit, bytes.count))
    remove(taken.count)
    return taken
  }

  private mutating func remove(_ count: Int) {
    bytes = bytes.subdata(in: count..<bytes.count)
    // The offset of a stream's bytes may be more than `Int64` holds.
    start &+= Int64(count)
    searched = max(0, searched - count)
  }
}
