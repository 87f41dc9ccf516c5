import IOChannelsEngine
import IOChannelsSystem

extension IOChannel {
  /// The largest number of bytes that one relay copies.
  ///
  /// Between two relays, barriers run, and the priority of the task is read again.
  static let relayedLimit = 64 << 20

  /// Copies the bytes of a range of another channel to this one by relays, which need no task for a
  /// chunk (<doc:Rules#S248>).
  ///
  /// - Returns: The number of bytes; nil if nothing was written and the bytes have to be written
  ///   chunk by chunk.
  func copyByRelays(
    _ range: Range<Int64>,
    of source: IOChannel,
    at offset: Int64?
  ) async throws(IOChannelError) -> Int64? {
    guard source.core.kind == .random, core.kind == .random else { return nil }
    for channel in [source, self] { await channel.waitForCreation() }
    guard source.mayRelay(to: self) else { return nil }
    let start = core.beginCall(at: offset)
    var count: Int64 = 0
    defer { core.endCall(at: start, moved: count) }
    while true {
      let offsets = (source: range.lowerBound &+ count, destination: start.value &+ count)
      // The distance may be more than `Int64` holds.
      let distance = UInt64(bitPattern: range.upperBound &- offsets.source)
      let limit = Int(min(distance, UInt64(Self.relayedLimit)))
      if limit == 0 { return count }
      let outcome = await source.relay(to: self, at: offsets, count: limit)
      count += Int64(outcome.count)
      if let failure = outcome.failure {
        // An offset that no file has: the error is that of a chunk.
        if count == 0, failure.reason == .invalidArgument { return nil }
        throw failure.side == .source
          ? source.error(.read, at: range.lowerBound, moved: Int(clamping: count), failure.reason)
          : error(.write, at: start.value, moved: Int(clamping: count), failure.reason)
      }
      // The end of the file.
      if outcome.count < limit { return count }
    }
  }

  /// Waits until the descriptor or path has been examined, which creation requests.
  private func waitForCreation() async {
    if core.entry.changeOnly({ state in state.isKnown }) { return }
    // A read of no bytes waits for that only. Its error is that of any operation.
    _ = await begin(0, .available, at: 0).outcome()
  }

  /// Whether relays may copy bytes of this channel to another one.
  ///
  /// A slow reader of a pipe or socket would hold up the other operations of the source. A path
  /// that is not open would be created or truncated before the source has been read. Limits of
  /// chunks, direct I/O and appends need chunks, and so does a file that is copied to itself.
  private func mayRelay(to other: IOChannel) -> Bool {
    guard core.entry !== other.core.entry,
      let source = core.relayedFile, let destination = other.core.relayedFile,
      !destination.traits.isAppending,
      let identity = try? source.descriptor.cachedStatus().status.identity
    else { return false }
    return (try? destination.descriptor.cachedStatus().status.identity) != identity
  }
}

extension ChannelCore {
  /// The open file of a channel without a limit on its chunks; nil for all others.
  fileprivate var relayedFile: OpenFile? {
    let step = step
    let file = entry.changeOnly { [number] state in
      let mark = state.channels.look(at: number) { $0.settings.limits.highWater }
      return (mark ?? 0) < step ? nil : state.openFile
    }
    guard let file, file.traits.kind == .seekable, !file.traits.isDirect else { return nil }
    return file
  }
}
