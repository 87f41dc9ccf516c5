public import DataRegions
import RequestEngine

extension IOChannel {
  /// Writes all bytes of a buffer.
  ///
  /// Operations keep the order of the channel: S11 for streams, none for random ones. When the
  /// task is cancelled the write ends as soon as the kernel has let go of the bytes (S150).
  ///
  /// - Parameters:
  ///   - data: The bytes, which are shared, not copied.
  ///   - offset: Where on a random channel, counted from the file position at creation; a stream
  ///     writes at the file position.
  /// - Throws: The first error; its `movedCount` tells how many bytes were written.
  public func write(_ data: DataBuffer, at offset: Int64 = 0) async throws(IOError) {
    let outcome = await begin(data, at: offset).outcome()
    guard let reason = outcome.error else { return }
    throw error(.write, at: offset, moved: data.count - outcome.data.count, reason)
  }

  /// Writes one buffer after the other, and takes the next while the last one is written.
  ///
  /// It holds two buffers at most, however many there are (S152). When the sequence throws, or a
  /// write fails, the write that was under way is over before the error is thrown.
  ///
  /// A sequence that ends when the task is cancelled, as `AsyncStream` does, ends the writing
  /// without an error.
  ///
  /// - Parameters:
  ///   - regions: The buffers; those of ``regions(in:)`` make a copy of a file.
  ///   - offset: Where the first one goes on a random channel.
  /// - Returns: How many bytes were written.
  /// - Throws: The error of the sequence, or the first one of a write.
  @discardableResult
  public func writeAll<Regions: AsyncSequence>(
    _ regions: Regions,
    at offset: Int64 = 0
  ) async throws -> Int64 where Regions.Element == DataBuffer {
    var writer = BufferedWriter(channel: self, offset: offset, capacity: 1)
    do {
      for try await region in regions { try await writer.append(region) }
    } catch {
      await writer.discard()
      throw error
    }
    try await writer.flush()
    return writer.writtenCount
  }

  /// Runs a function that writes piece by piece, and writes in steps of a size.
  ///
  /// The writer holds at most two steps: one that is filled while the other is written (S152). When
  /// the function throws, what it holds is dropped; what was written stays.
  ///
  /// - Parameters:
  ///   - offset: Where the first byte goes on a random channel.
  ///   - capacity: The bytes of a step, at least 1; a piece that goes beyond it stays whole.
  ///   - body: Writes with the writer that it is given, which it must not keep.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws, or the first error of a write.
  /// - Precondition: The capacity is at least 1.
  public func withBufferedWriter<Result>(
    at offset: Int64 = 0,
    capacity: Int = 1 << 20,
    _ body: (inout BufferedWriter) async throws -> Result
  ) async throws -> Result {
    requireUse(capacity > 0, "A writer holds at least a byte.", "S173")
    var writer = BufferedWriter(channel: self, offset: offset, capacity: capacity)
    let result: Result
    do {
      result = try await body(&writer)
    } catch {
      await writer.discard()
      throw error
    }
    try await writer.flush()
    return result
  }

  /// Begins a write.
  func begin(_ data: DataBuffer, at offset: Int64) -> TaskTransfer {
    TaskTransfer(.write) { queue, handler in
      core.write(offset: offset, data: data, queue: queue, handler: handler)
    }
  }
}
