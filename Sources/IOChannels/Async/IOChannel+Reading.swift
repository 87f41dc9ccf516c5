public import DataRegions
import IOChannelsEngine
import IOChannelsSystem

extension IOChannel {
  /// Reads a number of bytes, fewer only at the end of the file.
  ///
  /// Without an offset, calls continue where the last one ended, and only one at a time may run on
  /// a random channel (<doc:Rules#S235>). Operations of a stream run one after the other
  /// (<doc:Rules#S11>), those of a random channel with offsets in any order. When the task is
  /// cancelled, the read ends as soon as the kernel no longer uses its memory. It throws
  /// `ECANCELED` then, unless it had finished before (<doc:Rules#S150>).
  ///
  /// - Parameters:
  ///   - length: The number of bytes; `Int.max` for all to the end.
  ///   - offset: The offset on a random channel, counted from the file position at creation; nil to
  ///     continue where the last call without an offset ended. A stream reads at the file position.
  /// - Returns: The bytes; none at the end of the file.
  /// - Throws: The first error, which discards the bytes read before it; ``Chunks`` deliver
  ///   them.
  public func read(
    length: Int,
    at offset: Int64? = nil
  ) async throws(IOChannelError) -> DataBuffer {
    try await read(length, .whole, at: core.beginCall(at: offset))
  }

  /// Reads a number of bytes, never fewer.
  ///
  /// A file that ends before is an error (<doc:Rules#S239>). Without an offset, calls continue
  /// where the last one ended (<doc:Rules#S235>).
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - offset: The offset on a random channel, counted from the file position at creation; nil to
  ///     continue where the last call without an offset ended. A stream reads at the file position.
  /// - Returns: The bytes.
  /// - Throws: `ENODATA` when the file ends before, where `transferredCount` is the number of bytes
  ///   that were read. Otherwise the error of the transfer. Either discards these bytes;
  ///   ``ChannelReader/read(exactly:)`` keeps them.
  /// - Precondition: The number is not negative.
  public func read(
    exactly count: Int,
    at offset: Int64? = nil
  ) async throws(IOChannelError) -> DataBuffer {
    requireUse(count >= 0, "A read cannot have a negative length.", "S173")
    let start = core.beginCall(at: offset)
    let data = try await read(count, .whole, at: start)
    if data.count < count { throw error(.read, at: start.value, moved: data.count, .noData) }
    return data
  }

  /// Reads the available bytes, at least one, and waits only when none is available.
  ///
  /// Without an offset, calls continue where the last one ended (<doc:Rules#S235>). So a loop that
  /// ends when no bytes are returned reads the whole file.
  ///
  /// - Parameters:
  ///   - limit: The largest number of bytes, at least 1.
  ///   - offset: The offset on a random channel, counted from the file position at creation; nil to
  ///     continue where the last call without an offset ended. A stream reads at the file position.
  /// - Returns: The bytes; none at the end of the file.
  /// - Throws: The error of the transfer.
  /// - Precondition: The limit is at least 1.
  public func read(
    upTo limit: Int,
    at offset: Int64? = nil
  ) async throws(IOChannelError) -> DataBuffer {
    requireUse(limit > 0, "A read of what is there has room for a byte.", "S173")
    return try await read(limit, .available, at: core.beginCall(at: offset))
  }

  /// Reads from an offset, or from where the last call without an offset ended, to the end.
  ///
  /// - Parameters:
  ///   - offset: The offset on a random channel, counted from the file position at creation; nil to
  ///     continue where the last call without an offset ended. A stream reads at the file position.
  ///   - limit: The largest number of bytes that the result may have.
  /// - Returns: The bytes.
  /// - Throws: `EFBIG` when the file has more bytes than the limit; the call has then read one byte
  ///   more than the limit. Otherwise the error of the transfer. Either discards the bytes that
  ///   were read; ``ChannelReader/readAll(limit:)`` keeps them.
  /// - Precondition: The limit is not negative.
  public func readAll(
    at offset: Int64? = nil,
    limit: Int = .max
  ) async throws(IOChannelError) -> DataBuffer {
    requireUse(limit >= 0, "A limit is not negative.", "S173")
    let probed = limit == .max ? limit : limit + 1
    let start = core.beginCall(at: offset)
    let data = try await read(probed, .whole, at: start)
    if data.count > limit { throw error(.read, at: start.value, moved: data.count, .fileTooLarge) }
    return data
  }

  /// Reads into memory of the caller, up to its free capacity.
  ///
  /// Bytes in the page cache are read there directly; all others are read into memory of the
  /// channel first.
  ///
  /// - Parameters:
  ///   - output: The memory; its initialized bytes do not change.
  ///   - offset: The offset on a random channel, counted from the file position at creation; nil to
  ///     continue where the last call without an offset ended. A stream reads at the file position.
  /// - Returns: The number of bytes read, fewer than the free capacity only at the end of the file.
  /// - Throws: The first error; no bytes are then added.
  @discardableResult
  public func read(
    into output: inout OutputRawSpan,
    at offset: Int64? = nil
  ) async throws(IOChannelError) -> Int {
    let free = output.freeCapacity
    let start = core.beginCall(at: offset)
    let whole = ReadAtOnce(channel: core.number, length: free, hasHandler: false)
    let cached = core.makeAtOnce(whole, at: start.value) { place throws(SystemError) -> Int? in
      let engine = core.engine
      let count = try engine.readCached(place.descriptor, into: &output, at: place.offset)
      if count == 0 || count == free { return count }
      // When only a part is in the page cache, all bytes are read again.
      output.removeLast(count)
      return nil
    }
    if let cached {
      core.endCall(at: start, moved: Int64(cached))
      return cached
    }
    let data = try await read(free, .whole, at: start)
    data.copyBytes(appendingTo: &output)
    return data.count
  }

  /// Reads for one call, and ends it.
  private func read(
    _ length: Int,
    _ extent: ReadExtent,
    at start: CallOffset
  ) async throws(IOChannelError) -> DataBuffer {
    if Task.isCancelled {
      core.endCall(at: start, moved: 0)
      throw error(.read, at: start.value, .canceled)
    }
    let isWhole = length > ChannelCore.readAtOnceLimit && extent == .whole
    let cached =
      isWhole
      ? core.allBytesAtOnce(from: start.value)
      : core.bytesAtOnce(length, extent, at: start.value)
    if let cached {
      core.endCall(at: start, moved: Int64(cached.count))
      return cached
    }
    let outcome = await begin(length, extent, at: start.value).outcome()
    core.endCall(at: start, moved: Int64(outcome.data.count))
    guard let reason = outcome.error else { return outcome.data }
    throw error(.read, at: start.value, moved: outcome.data.count, reason)
  }

  /// Starts a read.
  func begin(_ length: Int, _ extent: ReadExtent, at offset: Int64) -> TaskTransfer {
    requireUse(length >= 0, "A read cannot have a negative length.", "S173")
    return TaskTransfer(.read) { queue, handler in
      core.read(offset: offset, length: length, extent: extent, queue: queue, handler: handler)
    }
  }

  /// Throws `ECANCELED` in a cancelled task, which starts nothing (S158).
  func checkTask(
    _ operation: IOChannelError.Operation,
    at offset: Int64
  ) throws(IOChannelError) {
    if Task.isCancelled { throw error(operation, at: offset, .canceled) }
  }

  /// Creates the error of an operation of this channel.
  func error(
    _ operation: IOChannelError.Operation,
    at offset: Int64,
    moved count: Int = 0,
    _ reason: SystemError
  ) -> IOChannelError {
    IOChannelError(
      operation,
      of: file,
      at: core.kind == .random ? offset : nil,
      transferredCount: count,
      reason: reason
    )
  }
}
