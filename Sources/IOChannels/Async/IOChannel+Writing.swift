public import DataRegions
import IOChannelsEngine

extension IOChannel {
  /// Writes all bytes of a buffer.
  ///
  /// Without an offset, calls continue where the last one ended, and only one at a time may run on
  /// a random channel (<doc:Rules#S235>). Operations of a stream run one after the other
  /// (<doc:Rules#S11>), those of a random channel with offsets in any order. When the task is
  /// cancelled, the write ends as soon as the kernel no longer uses the bytes. It throws
  /// `ECANCELED` then, unless it had finished before (<doc:Rules#S150>).
  ///
  /// - Parameters:
  ///   - data: The bytes, which are shared, not copied.
  ///   - offset: The offset on a random channel, counted from the file position at creation; nil to
  ///     continue where the last call without an offset ended. A stream writes at the file
  ///     position.
  /// - Throws: The first error; its `transferredCount` is the number of bytes written.
  public func write(_ data: DataBuffer, at offset: Int64? = nil) async throws(IOChannelError) {
    let start = core.beginCall(at: offset)
    if Task.isCancelled {
      core.endCall(at: start, moved: 0)
      throw error(.write, at: start.value, .canceled)
    }
    let outcome = await begin(data, at: start.value).outcome()
    let count = data.count - outcome.data.count
    core.endCall(at: start, moved: Int64(count))
    guard let reason = outcome.error else { return }
    throw error(.write, at: start.value, moved: count, reason)
  }

  /// Writes one buffer after another, and requests the next while the previous one is being
  /// written.
  ///
  /// Without an offset, the call continues where the last one ended (<doc:Rules#S235>). It holds at
  /// most two buffers at a time. If the sequence throws, the running write is cancelled. No write
  /// is still running when the call throws.
  ///
  /// Between random channels of open files, relays copy the `chunks()`, without a task for each
  /// chunk. Each copies up to 64 MiB, for which the barriers of both channels wait. If a read
  /// fails, the bytes before it are written, and the error has their number (<doc:Rules#S248>).
  ///
  /// In a cancelled task the call throws `ECANCELED`, even if the sequence has ended without an
  /// error, as `AsyncStream` does.
  ///
  /// - Parameters:
  ///   - buffers: The buffers. To copy a file, pass `chunks()` of the channel that reads it.
  ///   - offset: The offset of the first buffer on a random channel, counted from the file position
  ///     at creation; nil to continue where the last call without an offset ended. A stream writes
  ///     at the file position.
  /// - Returns: The number of bytes written.
  /// - Throws: The error of the sequence, or the first error of a write.
  @discardableResult
  public func writeAll<Buffers: AsyncSequence>(
    _ buffers: Buffers,
    at offset: Int64? = nil
  ) async throws -> Int64 where Buffers.Element == DataBuffer {
    if let chunks = buffers as? Chunks,
      let count = try await copyByRelays(chunks.range, of: chunks.channel, at: offset)
    {
      return count
    }
    var writer = BufferedWriter(channel: self, offset: offset, capacity: 1)
    do {
      for try await buffer in buffers { try await writer.append(buffer) }
      try writer.checkTask()
      try await writer.flush()
    } catch {
      await writer.discard()
      throw error
    }
    writer.end()
    return writer.writtenCount
  }

  /// Runs a function with a writer that collects bytes and writes them when they fill a buffer.
  ///
  /// The writer holds at most two buffers: one is filled while the other is being written. When the
  /// function throws, the bytes in the writer are dropped; written bytes stay in the file.
  ///
  /// Without an offset, the writer continues where the last call ended. Until the function returns,
  /// other calls on a random channel then need an offset (<doc:Rules#S235>).
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte on a random channel, counted from the file position
  ///     at creation; nil to continue where the last call without an offset ended. A stream writes
  ///     at the file position.
  ///   - capacity: The number of bytes that fill a buffer, at least 1. The bytes that one
  ///     call adds are not divided, so a buffer may have more.
  ///   - body: A function that writes with the writer, which it must not keep.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or the first error of a write.
  /// - Precondition: The capacity is at least 1.
  public func withBufferedWriter<Result>(
    at offset: Int64? = nil,
    capacity: Int = 1 << 20,
    _ body: (inout BufferedWriter) async throws -> Result
  ) async throws -> Result {
    requireUse(capacity > 0, "A writer holds at least a byte.", "S173")
    var writer = BufferedWriter(channel: self, offset: offset, capacity: capacity)
    let result: Result
    do {
      result = try await body(&writer)
      try await writer.flush()
    } catch {
      await writer.discard()
      throw error
    }
    writer.end()
    return result
  }

  /// Ends the sending direction of a socket after all earlier writes.
  ///
  /// The peer then reads the end of the stream, as after a close, and can still send data. Reads of
  /// the channel continue and are not waited for. Later writes fail with `EPIPE`
  /// (<doc:Rules#S226>).
  ///
  /// - Throws: `ENOTSOCK` for files that are no sockets, `ENOTCONN` for a socket that is not
  ///   connected.
  public func finishWriting() async throws(IOChannelError) {
    _ = try await perform(.endOfWriting, .finishWriting, at: nil)
  }

  /// Starts a write.
  func begin(_ data: DataBuffer, at offset: Int64) -> TaskTransfer {
    TaskTransfer(.write) { queue, handler in
      core.write(offset: offset, data: data, queue: queue, handler: handler)
    }
  }
}
