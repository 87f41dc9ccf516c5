import DataRegions
import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks

/// An iteration over the bytes of a range of a channel; a copy shares only the read ahead.
struct ChunkWalk: Sendable {
  private let channel: IOChannel
  /// The bytes that no call has returned.
  private var rest: Range<Int64>
  /// The number of bytes of a stream that stand before the range and are to be discarded.
  private var skipCount: Int64
  private var ahead: ReadAhead?

  init(channel: IOChannel, rest: Range<Int64>) {
    self.channel = channel
    self.rest = rest
    skipCount = channel.core.kind == .stream ? rest.lowerBound : 0
  }

  /// Reads the next chunk, of at most `limit` bytes unless it was read ahead.
  ///
  /// After an error or the end of the file the next call reads at the same offset again. A chunk
  /// that was read ahead may have met an end that the file no longer has. Without `readsAhead` it
  /// is read again.
  ///
  /// - Returns: The chunk, or `nil` at the end of the range or of the file.
  mutating func next(
    upTo limit: Int = .max,
    readsAhead: Bool = true
  ) async throws(IOChannelError) -> DataBuffer? {
    if !rest.isEmpty, skipCount != 0 {
      guard let first = try await skip() else { return nil }
      if !first.isEmpty { return take(first) }
    }
    guard !rest.isEmpty else { return nil }
    // A chunk that was read ahead stays for the next call.
    try channel.checkTask(.read, at: rest.lowerBound)
    if !readsAhead { ahead = nil }
    let transfer = ahead?.take() ?? begin(upTo: limit)
    ahead = nil
    let outcome = await transfer.outcome()
    guard outcome.data.isEmpty else {
      let chunk = take(outcome.data)
      // A limit means that the caller may need no further bytes.
      if limit == .max, readsAhead, channel.core.kind == .random, !rest.isEmpty {
        ahead = ReadAhead(begin(upTo: limit))
      }
      return chunk
    }
    if let reason = outcome.error { throw channel.error(.read, at: rest.lowerBound, reason) }
    return nil
  }

  /// Ends the iteration: no further bytes are read, and no read is left in the kernel.
  mutating func end() async {
    rest = rest.upperBound..<rest.upperBound
    guard let transfer = ahead.take()?.take() else { return }
    transfer.cancel()
    _ = await transfer.outcome()
  }

  /// Removes a chunk from the bytes that no call has returned.
  private mutating func take(_ chunk: DataBuffer) -> DataBuffer {
    rest = (rest.lowerBound + Int64(chunk.count))..<rest.upperBound
    return chunk
  }

  /// Reads and discards the bytes before the range; after an error the next call continues.
  ///
  /// A read that ended with these bytes could cut a message (S321).
  ///
  /// - Returns: The first bytes of the range, as far as they came with the others; nil if the range
  ///   does not begin.
  private mutating func skip() async throws(IOChannelError) -> DataBuffer? {
    if skipCount < 0 { throw channel.error(.read, at: rest.lowerBound, .invalidArgument) }
    while skipCount > 0 {
      try channel.checkTask(.read, at: rest.lowerBound)
      let end = skipCount + (rest.upperBound - rest.lowerBound)
      let length = Int(min(end, Int64(channel.core.step)))
      let outcome = await channel.begin(length, .available, at: 0).outcome()
      let data = outcome.data
      if data.isEmpty {
        if let reason = outcome.error { throw channel.error(.read, at: rest.lowerBound, reason) }
        return nil
      }
      let count = min(skipCount, Int64(data.count))
      skipCount -= count
      if skipCount == 0 { return data.subdata(in: Int(count)..<data.count) }
    }
    return .empty
  }

  private func begin(upTo limit: Int) -> TaskTransfer {
    // The distance may be more than `Int64` holds.
    let count = UInt64(bitPattern: rest.upperBound &- rest.lowerBound)
    let length = Int(min(count, UInt64(channel.core.step), UInt64(limit)))
    return channel.begin(length, .available, at: rest.lowerBound)
  }
}

/// A read ahead; it is cancelled when no caller needs it any more.
///
/// Copies of an iterator share it, and one of them gets it.
private final class ReadAhead: Sendable {
  private let transfer: BargingLock<TaskTransfer?>

  init(_ transfer: TaskTransfer) {
    self.transfer = BargingLock(transfer)
  }

  deinit {
    // A read that has ended does not need to be cancelled.
    take()?.cancel()
  }

  /// Returns the read to the first caller.
  func take() -> TaskTransfer? {
    transfer.withLock { $0.take() }
  }
}
