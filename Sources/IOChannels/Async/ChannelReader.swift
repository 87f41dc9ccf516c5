public import DataRegions
internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// A reader of the bytes and lines of a channel, which keeps the bytes that it has read ahead.
///
/// ```swift
/// let reader = ChannelReader(channel)
/// for try await line in reader.stringLines {
///   if line.isEmpty { break }
///   print(line)
/// }
/// // The body follows the empty line, however the bytes arrived.
/// let body = try await reader.read(exactly: 4096)
/// ```
///
/// The reader owns the bytes that it has read ahead. So a loop that is left early, a cancelled call
/// and an error lose none of them (<doc:Rules#S171>). They are dropped with the reader. Other reads
/// of a stream do not return them: continue with the methods of the same reader, in any mixture.
///
/// A cancelled task gets `ECANCELED` when the kernel has released the memory. If it is cancelled
/// already, every call and the next step of every loop throw it at once, even if the bytes have
/// arrived. They stay in the reader (<doc:Rules#S158>). Between two calls the reader holds the
/// bytes of a call that failed, and one chunk that the channel delivered.
///
/// Several tasks may use a reader one after the other, but only one at a time (<doc:Rules#S172>).
public final class ChannelReader: Sendable {
  /// The bytes that end a line.
  public enum LineEnding: Sendable {
    /// A line feed, or a carriage return and a line feed, as in `DataBuffer.lines`.
    case any
    /// A line feed; a carriage return before it is part of the line.
    case lineFeed
  }

  /// The state of the reader; `nil` while a call runs.
  private let state: BargingLock<ReaderState?>

  /// Creates a reader of a range of a channel.
  ///
  /// - Parameters:
  ///   - channel: The channel to read.
  ///   - range: Offsets of a random channel, counted from the file position at creation. A stream
  ///     counts them from its position at the first read, and discards the bytes before the range.
  ///   - lineEnding: The bytes that end a line.
  ///   - lineLimit: The largest number of bytes of a line, without the bytes that end it. A longer
  ///     line is an error.
  ///   - treatsHangUpAsEnd: Whether `EIO` counts as the end of the channel. The controlling end of
  ///     a pseudoterminal reports this error when all programs have closed the terminal. Files on
  ///     disks report it for bytes that cannot be read, so leave this false for them.
  /// - Precondition: The limit is at least 1.
  public init(
    _ channel: IOChannel,
    in range: Range<Int64> = 0..<Int64.max,
    lineEnding: LineEnding = .any,
    lineLimit: Int = 1 << 20,
    treatsHangUpAsEnd: Bool = false
  ) {
    requireUse(lineLimit > 0, "The limit of a line is at least one byte.", "S173")
    state = BargingLock(
      ReaderState(
        channel,
        in: range,
        lineEnding: lineEnding,
        lineLimit: lineLimit,
        treatsHangUpAsEnd: treatsHangUpAsEnd
      )
    )
  }

  /// Creates a reader of a channel from an offset to the end.
  ///
  /// - Parameters:
  ///   - channel: The channel to read.
  ///   - range: The first offset of a random channel, counted from the file position at creation. A
  ///     stream counts it from its position at the first read, and discards the bytes before it.
  ///   - lineEnding: The bytes that end a line.
  ///   - lineLimit: The largest number of bytes of a line, without the bytes that end it.
  ///   - treatsHangUpAsEnd: Whether `EIO` counts as the end of the channel.
  /// - Precondition: The limit is at least 1.
  public convenience init(
    _ channel: IOChannel,
    in range: PartialRangeFrom<Int64>,
    lineEnding: LineEnding = .any,
    lineLimit: Int = 1 << 20,
    treatsHangUpAsEnd: Bool = false
  ) {
    self.init(
      channel,
      in: range.lowerBound..<Int64.max,
      lineEnding: lineEnding,
      lineLimit: lineLimit,
      treatsHangUpAsEnd: treatsHangUpAsEnd
    )
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
    var state = try begin()
    defer { end(state) }
    return try await state.line()
  }

  /// Reads the next line whose end has been written, for a file that grows.
  ///
  /// The end of the file is not final: the next call reads bytes that were appended meanwhile. An
  /// incomplete last line stays in the reader until its line feed has been read, or until another
  /// method returns it (<doc:Rules#S237>).
  ///
  /// - Returns: The line without the bytes that end it, maybe empty; `nil` if there is no complete
  ///   line now, and always after another method has found the end of the file.
  /// - Throws: `EMSGSIZE` when the line is longer than the limit, or the error of the channel. The
  ///   bytes of the line stay in the reader.
  /// - Precondition: No other call of the reader is running.
  public func readCompleteLine() async throws(IOChannelError) -> DataBuffer? {
    var state = try begin()
    defer { end(state) }
    return try await state.completeLine()
  }

  /// Reads the available bytes, at least one, and waits only when none is available.
  ///
  /// Bytes that the reader holds are returned first, without a read of the channel.
  ///
  /// - Parameter limit: The largest number of bytes, at least 1.
  /// - Returns: At least one byte; none at the end of the range or of the file.
  /// - Throws: The error of the channel.
  /// - Precondition: The limit is at least 1, and no other call of the reader is running.
  public func read(upTo limit: Int) async throws(IOChannelError) -> DataBuffer {
    requireUse(limit > 0, "A read of what is there has room for a byte.", "S173")
    var state = try begin()
    defer { end(state) }
    return try await state.bytes(upTo: limit)
  }

  /// Reads a number of bytes, never fewer.
  ///
  /// - Parameter count: The number of bytes, which the reader holds until all have arrived.
  /// - Returns: The bytes.
  /// - Throws: `ENODATA` when the range or the file ends before, or the error of the channel. The
  ///   bytes that have arrived stay in the reader. With `ENODATA`, `transferredCount` is their
  ///   number: 0 if there are no more bytes.
  /// - Precondition: The number is not negative, and no other call of the reader is running.
  public func read(exactly count: Int) async throws(IOChannelError) -> DataBuffer {
    requireUse(count >= 0, "A read cannot have a negative length.", "S173")
    var state = try begin()
    defer { end(state) }
    return try await state.bytes(exactly: count)
  }

  /// Reads the bytes before the next delimiter, and removes the delimiter after them.
  ///
  /// - Parameters:
  ///   - delimiter: At least one byte, such as `"\r\n\r\n".utf8` or `[0]`.
  ///   - limit: The largest number of bytes before the delimiter.
  /// - Returns: The bytes without the delimiter, maybe none; `nil` when there are no more bytes.
  /// - Throws: `EMSGSIZE` when there are more bytes than the limit, `ENODATA` when the range or the
  ///   file ends without the delimiter, or the error of the channel. The bytes stay in the reader.
  /// - Precondition: The delimiter is not empty, the limit is not negative, and no other call of
  ///   the reader is running.
  public func read(
    until delimiter: some Collection<UInt8>,
    limit: Int = 1 << 20
  ) async throws(IOChannelError) -> DataBuffer? {
    requireUse(!delimiter.isEmpty, "A delimiter has at least one byte.", "S173")
    requireUse(limit >= 0, "A limit is not negative.", "S173")
    let delimiter = [UInt8](delimiter)
    var state = try begin()
    defer { end(state) }
    return try await state.bytes(until: delimiter, limit: limit)
  }

  /// Reads the bytes to the end of the range or of the file.
  ///
  /// - Parameter limit: The largest number of bytes that the result may have.
  /// - Returns: The bytes, maybe none.
  /// - Throws: `EFBIG` when there are more bytes than the limit, or the error of the channel. The
  ///   bytes that have arrived stay in the reader, and the next call continues with them.
  /// - Precondition: The limit is not negative, and no other call of the reader is running.
  public func readAll(limit: Int = .max) async throws(IOChannelError) -> DataBuffer {
    requireUse(limit >= 0, "A limit is not negative.", "S173")
    var state = try begin()
    defer { end(state) }
    return try await state.allBytes(limit: limit)
  }

  /// Reads the next chunk, of at most so many bytes.
  func readChunk(upTo limit: Int) async throws(IOChannelError) -> DataBuffer? {
    var state = try begin()
    defer { end(state) }
    return try await state.chunk(upTo: limit)
  }

  /// A line, and the position of a loop over the lines in memory after it.
  typealias LineOfLoop = (line: DataBuffer, rest: RegionCursor?)

  /// Reads the next line for a loop; nil after the last one.
  func readLineOfLoop() async throws(IOChannelError) -> LineOfLoop? {
    var state = try begin()
    defer { end(state) }
    return try await state.lineOfLoop()
  }

  /// Returns the position of a loop over the next bytes in memory; nil at the end.
  func nextCursor() async throws(IOChannelError) -> RegionCursor? {
    var state = try begin()
    defer { end(state) }
    return try await state.nextCursor()
  }

  /// Begins a call, which a cancelled task does not (S158).
  private func begin() throws(IOChannelError) -> ReaderState {
    var taken = state.withLock { $0.take() }
    taken?.endLoop()
    guard let taken else { stop(saying: "A reader serves one call at a time.", "S172") }
    do throws(IOChannelError) { try taken.checkTask() } catch {
      end(taken)
      throw error
    }
    return taken
  }

  private func end(_ state: ReaderState) {
    self.state.withLock { $0 = state }
  }
}
