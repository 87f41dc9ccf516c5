import DataRegions

/// The bytes that a reader has read and not yet returned.
struct ReadBuffer {
  /// The result of a search for a delimiter.
  enum Found {
    case bytes(DataBuffer)
    /// The delimiter has not been read, or there are no bytes.
    case incomplete
    case tooLong
  }

  /// The size below which adjacent pieces are copied together.
  private static let smallPieceLimit = 4096

  private static let lineFeed: [UInt8] = [0x0a]

  /// The offset of the first byte.
  private(set) var start: Int64
  private var bytes = DataBuffer.empty
  /// The delimiter of the last search, and the number of bytes at the start in which none begins.
  private var searched: (delimiter: [UInt8], count: Int) = ([], 0)

  init(start: Int64) {
    self.start = start
  }

  /// Whether there are no bytes.
  var isEmpty: Bool { bytes.isEmpty }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// The bytes at the start that are contiguous in memory.
  var firstRegion: DataBuffer.Region? { bytes.isEmpty ? nil : bytes.region(containing: 0) }

  /// Adds a piece that was read.
  mutating func add(_ piece: DataBuffer) {
    if bytes.isEmpty || piece.count >= Self.smallPieceLimit { return bytes.append(piece) }
    // A region for every few bytes would cost many times their size.
    for region in piece.regions { bytes.append(bytes: region.bytes) }
  }

  /// Removes the first line and the bytes that end it; one that is too long stays.
  ///
  /// At the end of the file the last line needs no line feed.
  mutating func takeLine(
    endingWith ending: ChannelReader.LineEnding,
    upTo limit: Int,
    atEnd isAtEnd: Bool
  ) -> Found {
    if let feed = find(Self.lineFeed) {
      let isReturned = ending == .any && feed > 0 && bytes[feed - 1] == 0x0d
      return take(isReturned ? feed - 1 : feed, upTo: limit, removing: feed + 1)
    }
    if isAtEnd, !bytes.isEmpty { return take(bytes.count, upTo: limit, removing: bytes.count) }
    // The last byte may be a carriage return, which is then no part of the line.
    let length = ending == .any ? bytes.count - 1 : bytes.count
    return length > limit ? .tooLong : .incomplete
  }

  /// Removes the bytes before a delimiter, which has at least one byte, and the delimiter.
  mutating func takeBytes(before delimiter: [UInt8], upTo limit: Int) -> Found {
    if let offset = find(delimiter) {
      return take(offset, upTo: limit, removing: offset + delimiter.count)
    }
    // The first bytes of the delimiter may be at the end.
    return bytes.count - (delimiter.count - 1) > limit ? .tooLong : .incomplete
  }

  /// Removes the first bytes, at most so many.
  mutating func takeBytes(upTo limit: Int) -> DataBuffer {
    let taken = bytes.subdata(in: 0..<min(limit, bytes.count))
    remove(taken.count)
    return taken
  }

  /// Removes so many of the first bytes.
  mutating func remove(_ count: Int) {
    if count == 0 { return }
    bytes = bytes.subdata(in: count..<bytes.count)
    // The offset of a stream's bytes may be more than `Int64` holds.
    start &+= Int64(count)
    searched.count = max(0, searched.count - count)
  }

  /// Returns the offset of the first delimiter, without another search in bytes that hold none.
  private mutating func find(_ delimiter: [UInt8]) -> Int? {
    if searched.delimiter != delimiter { searched = (delimiter, 0) }
    let range = searched.count..<bytes.count
    let found =
      delimiter.count == 1
      ? bytes.firstIndex(of: delimiter[0], in: range)
      : bytes.firstRange(of: delimiter, in: range)?.lowerBound
    searched.count = found ?? max(searched.count, bytes.count - (delimiter.count - 1))
    return found
  }

  private mutating func take(_ length: Int, upTo limit: Int, removing count: Int) -> Found {
    if length > limit { return .tooLong }
    let taken = bytes.subdata(in: 0..<length)
    remove(count)
    return .bytes(taken)
  }
}
