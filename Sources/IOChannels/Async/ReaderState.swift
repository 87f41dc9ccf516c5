import DataRegions
import IOChannelsSystem

/// The position of a reader in its channel, and the bytes that it has read ahead.
struct ReaderState: Sendable {
  private let channel: IOChannel
  private let lineEnding: ChannelReader.LineEnding
  private let lineLimit: Int
  private let treatsHangUpAsEnd: Bool
  private var walk: ChunkWalk
  private var buffer: ReadBuffer
  /// The position of the last loop over bytes or lines, which are still in the buffer.
  private var cursor: RegionCursor?
  /// Whether the channel has no more bytes, which is final.
  private var hasEnded = false

  init(
    _ channel: IOChannel,
    in range: Range<Int64>,
    lineEnding: ChannelReader.LineEnding,
    lineLimit: Int,
    treatsHangUpAsEnd: Bool
  ) {
    self.channel = channel
    self.lineEnding = lineEnding
    self.lineLimit = lineLimit
    self.treatsHangUpAsEnd = treatsHangUpAsEnd
    walk = ChunkWalk(channel: channel, rest: range)
    buffer = ReadBuffer(start: range.lowerBound)
  }

  /// Removes the bytes that a loop has returned in the buffer, and ends its use of the others.
  mutating func endLoop() {
    guard let cursor = cursor.take() else { return }
    buffer.remove(cursor.end())
  }

  /// Throws `ECANCELED` in a cancelled task.
  func checkTask() throws(IOChannelError) { try channel.checkTask(.read, at: buffer.start) }

  mutating func line() async throws(IOChannelError) -> DataBuffer? {
    while true {
      let line = buffer.takeLine(endingWith: lineEnding, upTo: lineLimit, atEnd: hasEnded)
      switch line {
      case .bytes(let bytes): return bytes
      case .tooLong: throw error(.messageTooLong)
      case .incomplete where hasEnded: return nil
      case .incomplete: try await readPiece()
      }
    }
  }

  /// Returns the next line, and the position of a loop over the lines in memory after it.
  mutating func lineOfLoop() async throws(IOChannelError) -> ChannelReader.LineOfLoop? {
    guard let line = try await line() else { return nil }
    return (line, beginLoop())
  }

  /// Returns the next line whose end has been read; nil if the channel has none now.
  mutating func completeLine() async throws(IOChannelError) -> DataBuffer? {
    while true {
      let line = buffer.takeLine(endingWith: lineEnding, upTo: lineLimit, atEnd: false)
      switch line {
      case .bytes(let bytes): return bytes
      case .tooLong: throw error(.messageTooLong)
      case .incomplete where hasEnded: return nil
      case .incomplete:
        let hasMore = try await addPiece(readsAhead: false)
        if !hasMore { return nil }
      }
    }
  }

  mutating func bytes(
    until delimiter: [UInt8],
    limit: Int
  ) async throws(IOChannelError) -> DataBuffer? {
    while true {
      switch buffer.takeBytes(before: delimiter, upTo: limit) {
      case .bytes(let bytes): return bytes
      case .tooLong: throw error(.messageTooLong)
      case .incomplete where hasEnded && buffer.isEmpty: return nil
      case .incomplete where hasEnded: throw error(.noData, moved: buffer.count)
      case .incomplete: try await readPiece()
      }
    }
  }

  mutating func bytes(upTo limit: Int) async throws(IOChannelError) -> DataBuffer {
    if buffer.isEmpty && !hasEnded { try await readPiece(upTo: limit) }
    return buffer.takeBytes(upTo: limit)
  }

  /// Returns at most so many bytes, and reads as many as the channel delivers at a time.
  mutating func chunk(upTo limit: Int) async throws(IOChannelError) -> DataBuffer? {
    if buffer.isEmpty && !hasEnded { try await readPiece() }
    return buffer.isEmpty ? nil : buffer.takeBytes(upTo: limit)
  }

  mutating func bytes(exactly count: Int) async throws(IOChannelError) -> DataBuffer {
    while buffer.count < count {
      if hasEnded { throw error(.noData, moved: buffer.count) }
      try await readPiece(upTo: count - buffer.count)
    }
    return buffer.takeBytes(upTo: count)
  }

  mutating func allBytes(limit: Int) async throws(IOChannelError) -> DataBuffer {
    while !hasEnded && buffer.count <= limit { try await readPiece() }
    if buffer.count > limit { throw error(.fileTooLarge, moved: buffer.count) }
    return buffer.takeBytes(upTo: limit)
  }

  /// Returns the position of a loop over the next bytes in memory; nil at the end.
  mutating func nextCursor() async throws(IOChannelError) -> RegionCursor? {
    if buffer.isEmpty && !hasEnded { try await readPiece() }
    return beginLoop()
  }

  private mutating func beginLoop() -> RegionCursor? {
    cursor = buffer.firstRegion.map {
      RegionCursor($0, lineEnding: lineEnding, lineLimit: lineLimit)
    }
    return cursor
  }

  private mutating func readPiece(upTo limit: Int = .max) async throws(IOChannelError) {
    let hasMore = try await addPiece(upTo: limit)
    if !hasMore { hasEnded = true }
  }

  /// Reads the next piece; returns whether the channel has one now.
  private mutating func addPiece(
    upTo limit: Int = .max,
    readsAhead: Bool = true
  ) async throws(IOChannelError) -> Bool {
    do throws(IOChannelError) {
      let piece = try await walk.next(upTo: limit, readsAhead: readsAhead)
      guard let piece else { return false }
      buffer.add(piece)
      return true
    } catch {
      guard treatsHangUpAsEnd, error.reason == .ioError else { throw error }
      return false
    }
  }

  /// Creates the error of a call whose bytes stay in the buffer.
  private func error(_ reason: SystemError, moved count: Int = 0) -> IOChannelError {
    channel.error(.read, at: buffer.start, moved: count, reason)
  }
}
