public import DataRegions
import QueueRuntime

extension IOChannel {
  /// Moves the bytes of this channel to another one, until the end or the count is reached.
  ///
  /// No handler and no task runs for a byte: the bytes of a read are written by the thread that
  /// reports the read, and the next read runs during the write. A relay is one read of this channel
  /// and one write of the other channel, in the order of both (<doc:Rules#S245>). It reads nothing
  /// before both have begun. It has at most two buffers of up to 1 MiB, so a slow destination slows
  /// the source. It neither closes the channels nor ends the sending direction of a socket.
  ///
  /// A random channel, as of a file that `withOpen` has opened, takes part at an offset. Without
  /// one, the relay continues where the last call without an offset ended: at the start of a new
  /// channel (<doc:Rules#S235>). A stream takes part at the file position.
  ///
  /// A connection needs a relay in each direction, in two tasks.
  ///
  /// - Parameters:
  ///   - other: The channel to write to. Of a socket it may be this channel.
  ///   - offset: The offset of the first byte to read, if this channel is a random one.
  ///   - destination: The offset of the first byte to write, if the other channel is a random one.
  ///   - count: The largest number of bytes; by default all to the end.
  /// - Returns: The number of bytes that were written, fewer than `count` only at the end.
  /// - Throws: The error of a read or a write. An error of a read is thrown when all bytes before
  ///   it are written. If one of these writes fails, its error is thrown in its place. If the task
  ///   is cancelled or a channel is stopped, the error has the reason `ECANCELED`. Files that are
  ///   open for direct I/O, and a regular file that would be relayed to itself through one
  ///   descriptor, give `EINVAL`. Two descriptors of a file are not compared.
  /// - Precondition: The count is not negative.
  @discardableResult
  public func relay(
    to other: IOChannel,
    from offset: Int64? = nil,
    at destination: Int64? = nil,
    count: Int = .max
  ) async throws(RelayError) -> Int {
    requireUse(count >= 0, "A relay cannot have a negative length.", "S173")
    if count == 0 { return 0 }
    if core === other.core, core.kind == .random {
      throw RelayError(error(.read, at: offset ?? 0, .invalidArgument))
    }
    let start = core.beginCall(at: offset)
    let otherStart = other.core.beginCall(at: destination)
    let outcome = await relay(to: other, at: (start.value, otherStart.value), count: count)
    let (written, unwritten) = (outcome.count, outcome.unwritten)
    core.endCall(at: start, moved: Int64(written + unwritten.count))
    other.core.endCall(at: otherStart, moved: Int64(written))
    guard let failure = outcome.failure else { return written }
    let cause =
      failure.side == .source
      ? error(.read, at: start.value, moved: written, failure.reason)
      : other.error(.write, at: otherStart.value, moved: written, failure.reason)
    throw RelayError(cause, unwritten: unwritten)
  }

  /// Moves bytes from this channel to another one, and waits for the end.
  func relay(
    to other: IOChannel,
    at offsets: (source: Int64, destination: Int64),
    count: Int
  ) async -> Relay.Outcome {
    // A relay of cached bytes could end before its cancellation (S158).
    if Task.isCancelled {
      let failure = RelayState.Failure(side: .source, reason: .canceled)
      return Relay.Outcome(count: 0, failure: failure, unwritten: .empty)
    }
    let priority = WorkQueue.QoS.QoSClass(taskPriority: Task.currentPriority.rawValue)
    let relay = Relay(
      from: core,
      to: other.core,
      at: offsets,
      count: count,
      queue: .completions(qos: priority)
    )
    relay.start()
    return await relay.outcome()
  }
}

/// The error of a relay, with the bytes that were read and not written.
public struct RelayError: Error, Hashable, Sendable {
  /// The error of the channel that failed; its `transferredCount` is the number of bytes written.
  public let cause: IOChannelError
  /// The bytes that were read from the source and not written to the destination, in order.
  ///
  /// There are at most 2 MiB after an error of a write, a stop or a cancellation, and none after an
  /// error of a read. Write them to another channel, or process them, to lose no byte of the
  /// source.
  public let unwritten: DataBuffer

  /// Whether the relay ended because its task was cancelled or a channel stopped or closed.
  public var isCancellation: Bool { cause.isCancellation }

  /// Creates an error, for example in a test.
  ///
  /// - Parameters:
  ///   - cause: The error of the channel that failed.
  ///   - unwritten: The bytes that were read and not written.
  public init(_ cause: IOChannelError, unwritten: DataBuffer = .empty) {
    self.cause = cause
    self.unwritten = unwritten
  }
}

extension RelayError: CustomStringConvertible {
  /// One line with the error, and the number of unwritten bytes if there are any.
  public var description: String {
    unwritten.isEmpty ? "\(cause)" : "\(cause), with \(unwritten.count) bytes read and not written"
  }
}
