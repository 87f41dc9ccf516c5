public import DataRegions
internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// A reader of the lines of a channel, which keeps the bytes that it has read behind the last line.
///
/// ```swift
/// let reader = LineReader(channel)
/// for try await line in reader.lines {
///   if line.isEmpty { break }
///   print(String(decoding: line, as: UTF8.self))
/// }
/// // The body follows the empty line, however the bytes arrived.
/// let start = try await reader.read(upTo: 4096)
/// ```
///
/// The reader owns the bytes that it has read ahead, so a loop that is left early, a cancelled call
/// and an error lose none of them (<doc:Rules#S171>). They are dropped with the reader. Other reads
/// of a stream do not return them: read the bytes after the lines with ``read(upTo:)``.
///
/// Lines are those of `DataBuffer.lines`, however the bytes arrive. Between two calls the reader
/// holds at most one line of `lengthLimit` bytes and one chunk that the channel delivered.
///
/// Several tasks may use a reader one after the other, but only one at a time (<doc:Rules#S172>).
public final class LineReader: Sendable {
  /// The state of the reader; `nil` while a call runs.
  private let reading: BargingLock<LineReading?>

  /// Creates a reader of the lines in a range of a channel.
  ///
  /// - Parameters:
  ///   - channel: The channel to read.
  ///   - range: The offsets of a random channel, counted from the file position at creation; a
  ///     stream reads from its position at most as many bytes as the range has.
  ///   - lengthLimit: The largest number of bytes of a line, without the bytes that end it. A
  ///     longer line is an error.
  /// - Precondition: The limit is at least 1.
  public init(
    _ channel: IOChannel,
    in range: Range<Int64> = 0..<Int64.max,
    lengthLimit: Int = 1 << 20
  ) {
    requireUse(lengthLimit > 0, "The limit of a line is at least one byte.", "S173")
    reading = BargingLock(LineReading(channel, in: range, lengthLimit: lengthLimit))
  }

  /// Reads the next line, without the bytes that end it.
  ///
  /// - Returns: The line, which may be empty; `nil` after the last line.
  /// - Throws: `EMSGSIZE` when the line is longer than the limit, or the error of the channel. The
  ///   bytes of the line stay in the reader. After an error of the channel the next call continues
  ///   with them. After `EMSGSIZE` every call throws it again until ``read(upTo:)`` has taken
  ///   enough of the line.
  /// - Precondition: No other call of the reader is running.
  public func readLine() async throws(IOChannelError) -> DataBuffer? {
    var reading = begin()
    defer { end(reading) }
    return try await reading.nextLine()
  }

  /// Reads the bytes after the lines that were returned.
  ///
  /// Bytes that the reader holds are returned first. If it holds none, it reads the channel, and
  /// waits only while no bytes are available.
  ///
  /// - Parameter limit: The largest number of bytes, at least 1.
  /// - Returns: At least one byte; none at the end of the range or of the file.
  /// - Throws: The error of the channel.
  /// - Precondition: The limit is at least 1, and no other call of the reader is running.
  public func read(upTo limit: Int) async throws(IOChannelError) -> DataBuffer {
    requireUse(limit > 0, "A read of what is there has room for a byte.", "S173")
    var reading = begin()
    defer { end(reading) }
    return try await reading.bytes(upTo: limit)
  }

  /// The lines that the reader has not returned yet.
  ///
  /// Every loop continues where the calls before it stopped, and leaves the reader after the last
  /// line that it returned. An error ends the loop (<doc:Rules#S156>), but not the reader.
  public var lines: Lines { Lines(reader: self) }

  private func begin() -> LineReading {
    let state = reading.withLock { $0.take() }
    guard let state else { stop(saying: "A line reader serves one call at a time.", "S172") }
    return state
  }

  private func end(_ state: LineReading) {
    reading.withLock { $0 = state }
  }

  /// The lines that a reader has not returned yet.
  public struct Lines: AsyncSequence, Sendable {
    /// The error of a loop.
    public typealias Failure = IOChannelError
    /// A line, which may be empty.
    public typealias Element = DataBuffer

    let reader: LineReader

    /// Returns an iterator that takes lines from the reader.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// An iterator over the lines of a reader.
    ///
    /// Copies of an iterator share the reader: each line is returned by only one of them.
    public struct Iterator: AsyncIteratorProtocol {
      let reader: LineReader
      private var hasEnded = false

      init(reader: LineReader) {
        self.reader = reader
      }

      /// Takes the next line; `nil` after the last line and after an error.
      public mutating func next() async throws(IOChannelError) -> DataBuffer? {
        try await next(isolation: #isolation)
      }

      /// Takes the next line; `nil` after the last line and after an error.
      public mutating func next(
        isolation: isolated (any Actor)?
      ) async throws(IOChannelError) -> DataBuffer? {
        if hasEnded { return nil }
        do throws(IOChannelError) {
          let line = try await reader.readLine()
          hasEnded = line == nil
          return line
        } catch {
          hasEnded = true
          throw error
        }
      }
    }
  }
}

/// The position of a reader of lines in its channel, and the bytes that it has read ahead.
private struct LineReading: Sendable {
  let channel: IOChannel
  var walk: RegionWalk
  var buffer: LineBuffer
  /// Whether the channel has no more bytes, which is final.
  var hasEnded = false

  init(_ channel: IOChannel, in range: Range<Int64>, lengthLimit: Int) {
    self.channel = channel
    walk = RegionWalk(channel: channel, rest: range)
    buffer = LineBuffer(start: range.lowerBound, lengthLimit: lengthLimit)
  }

  mutating func nextLine() async throws(IOChannelError) -> DataBuffer? {
    while true {
      switch buffer.takeLine(atEnd: hasEnded) {
      case .line(let line): return line
      case .tooLong: throw channel.error(.read, at: buffer.start, .messageTooLong)
      case .incomplete where hasEnded: return nil
      case .incomplete: try await readPiece()
      }
    }
  }

  mutating func bytes(upTo limit: Int) async throws(IOChannelError) -> DataBuffer {
    if buffer.isEmpty && !hasEnded { try await readPiece(upTo: limit) }
    return buffer.takeBytes(upTo: limit)
  }

  private mutating func readPiece(upTo limit: Int = .max) async throws(IOChannelError) {
    if let piece = try await walk.next(upTo: limit) {
      buffer.add(piece)
    } else {
      hasEnded = true
    }
  }
}
