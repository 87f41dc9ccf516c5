import DataRegions
import QueueRuntime
import RequestEngine

/// A walk over the bytes of a range of a channel; a copy shares the read ahead and nothing else.
struct RegionWalk: Sendable {
  private let channel: IOChannel
  /// The bytes that no call has returned.
  private var rest: Range<Int64>
  private var ahead: ReadAhead?

  init(channel: IOChannel, rest: Range<Int64>) {
    self.channel = channel
    self.rest = rest
  }

  /// Reads the next piece, of at most so many bytes unless it was read ahead.
  ///
  /// After an error the next call reads at the same place again.
  ///
  /// - Returns: The piece, or `nil` at the end of the range or of the file.
  mutating func next(upTo limit: Int = .max) async throws(IOError) -> DataBuffer? {
    guard !rest.isEmpty else { return nil }
    let transfer = ahead?.take() ?? begin(upTo: limit)
    ahead = nil
    let outcome = await transfer.outcome()
    guard outcome.data.isEmpty else {
      rest = (rest.lowerBound + Int64(outcome.data.count))..<rest.upperBound
      // A limit says that the caller may need no more.
      if limit == .max, channel.core.kind == .random, !rest.isEmpty {
        ahead = ReadAhead(begin(upTo: limit))
      }
      return outcome.data
    }
    if let reason = outcome.error { throw channel.error(.read, at: rest.lowerBound, reason) }
    return nil
  }

  /// Ends the walk: nothing more is read.
  mutating func end() {
    rest = rest.upperBound..<rest.upperBound
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
    // One that is over has nothing to cancel.
    take()?.cancel()
  }

  /// The read, for the first who asks.
  func take() -> TaskTransfer? {
    transfer.withLock { $0.take() }
  }
}
