public import DataRegions
import RequestEngine
import SystemCalls

extension IOChannel {
  /// Reads so many bytes, fewer only at the end of the file.
  ///
  /// Operations keep the order of the channel: S11 for streams, none for random ones. When the
  /// task is cancelled the read ends as soon as the kernel has let go of its memory (S150).
  ///
  /// - Parameters:
  ///   - length: How many bytes; `Int.max` for all to the end.
  ///   - offset: Where on a random channel, counted from the file position at creation; a stream
  ///     reads at the file position.
  /// - Returns: The bytes; none at the end of the file.
  /// - Throws: The first error, which drops the bytes that came before it; ``regions(in:)`` hands
  ///   them over.
  public func read(length: Int, at offset: Int64 = 0) async throws(IOError) -> DataBuffer {
    try await read(length, .whole, at: offset)
  }

  /// Reads what is there, at least one byte, and waits only when there is none.
  ///
  /// - Parameters:
  ///   - limit: The most bytes, at least 1.
  ///   - offset: Where on a random channel; a stream reads at the file position.
  /// - Returns: The bytes; none at the end of the file.
  /// - Throws: The error of the transfer.
  /// - Precondition: The limit is at least 1.
  public func read(upTo limit: Int, at offset: Int64 = 0) async throws(IOError) -> DataBuffer {
    requireUse(limit > 0, "A read of what is there has room for a byte.", "S173")
    return try await read(limit, .available, at: offset)
  }

  /// Reads from an offset, or from the file position, to the end.
  ///
  /// - Parameters:
  ///   - offset: Where on a random channel; a stream reads at the file position.
  ///   - limit: The most bytes that the result may have.
  /// - Returns: The bytes.
  /// - Throws: `EFBIG` when there are more bytes than the limit, of which a stream has passed one
  ///   more than that; or the error of the transfer.
  /// - Precondition: The limit is not negative.
  public func readAll(
    from offset: Int64 = 0,
    limit: Int = .max
  ) async throws(IOError) -> DataBuffer {
    requireUse(limit >= 0, "A limit is not negative.", "S173")
    let probed = limit == .max ? limit : limit + 1
    let data = try await read(length: probed, at: offset)
    if data.count > limit { throw error(.read, at: offset, moved: data.count, .fileTooLarge) }
    return data
  }

  /// Reads into memory of the caller, as many bytes as it has room for.
  ///
  /// What is in memory is read there at once; all else is read into memory of the channel first.
  ///
  /// - Parameters:
  ///   - output: Where the bytes go; what it has already stays.
  ///   - offset: Where on a random channel; a stream reads at the file position.
  /// - Returns: How many bytes were read, fewer than there was room for only at the end.
  /// - Throws: The first error; nothing is added then.
  @discardableResult
  public func read(
    into output: inout OutputRawSpan,
    at offset: Int64 = 0
  ) async throws(IOError) -> Int {
    let free = output.freeCapacity
    let whole = ReadAtOnce(channel: core.number, length: free, hasHandler: false)
    let cached = core.makeAtOnce(whole, at: offset) { descriptor, place throws(Errno) -> Int? in
      let count = try core.engine.readCached(descriptor, into: &output, at: place)
      if count == 0 || count == free { return count }
      // Of what only a part is in memory all is read again.
      output.removeLast(count)
      return nil
    }
    if let cached { return cached }
    let data = try await read(length: free, at: offset)
    data.copyBytes(appendingTo: &output)
    return data.count
  }

  private func read(
    _ length: Int,
    _ extent: ReadExtent,
    at offset: Int64
  ) async throws(IOError) -> DataBuffer {
    if let cached = core.bytesAtOnce(length, extent, at: offset) { return cached }
    let outcome = await begin(length, extent, at: offset).outcome()
    guard let reason = outcome.error else { return outcome.data }
    throw error(.read, at: offset, moved: outcome.data.count, reason)
  }

  /// Begins a read.
  func begin(_ length: Int, _ extent: ReadExtent, at offset: Int64) -> TaskTransfer {
    requireUse(length >= 0, "A read cannot have a negative length.", "S173")
    return TaskTransfer(.read) { queue, handler in
      core.read(offset: offset, length: length, extent: extent, queue: queue, handler: handler)
    }
  }

  /// The error of an operation of this channel.
  func error(
    _ operation: IOError.Operation,
    at offset: Int64,
    moved count: Int = 0,
    _ reason: Errno
  ) -> IOError {
    IOError(
      operation,
      of: file,
      at: core.kind == .random ? offset : nil,
      movedCount: count,
      reason: reason
    )
  }
}
