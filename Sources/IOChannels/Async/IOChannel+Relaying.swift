public import DataRegions
import QueueRuntime

extension IOChannel {
  /// Moves the bytes of this stream to another one, until the end or so many bytes.
  ///
  /// No handler and no task runs for a byte: the bytes of a read are written by the thread that
  /// reports the read, and the next read runs during the write. A relay is one read of this channel
  /// and one write of the other channel, in the order of both (<doc:Rules#S245>). It reads nothing
  /// before both have begun. It has at most two buffers of up to 1 MiB, so a slow destination slows
  /// the source. It neither closes the channels nor ends the sending direction of a socket.
  ///
  /// A connection needs a relay in each direction, in two tasks.
  ///
  /// - Parameters:
  ///   - other: The stream channel to write to. Of a socket it may be this channel.
  ///   - count: The largest number of bytes; by default all to the end.
  /// - Returns: The number of bytes that were written, fewer than `count` only at the end.
  /// - Throws: The error of a read or a write. An error of a read is thrown when all bytes before
  ///   it are written. If one of these writes fails, its error is thrown in its place. If the task
  ///   is cancelled or a channel is stopped, the error has the reason `ECANCELED`. Files that are
  ///   open for direct I/O, and a regular file that would be relayed to itself through one
  ///   descriptor, give `EINVAL`. Two descriptors of a file are not compared.
  /// - Precondition: Both channels are streams, and the count is not negative.
  @discardableResult
  public func relay(to other: IOChannel, count: Int = .max) async throws(RelayError) -> Int {
    let areStreams = core.kind == .stream && other.core.kind == .stream
    requireUse(areStreams, "A relay connects two streams.", "S245")
    requireUse(count >= 0, "A relay cannot have a negative length.", "S173")
    if count == 0 { return 0 }
    let outcome = await relay(to: other, at: (0, 0), count: count)
    guard let failure = outcome.failure else { return outcome.count }
    let channel = failure.side == .source ? self : other
    throw RelayError(
      channel.error(
        failure.side == .source ? .read : .write,
        at: 0,
        moved: outcome.count,
        failure.reason
      ),
      unwritten: outcome.unwritten
    )
  }

  /// Moves bytes from this channel to another one, and waits for the end.
  func relay(
    to other: IOChannel,
    at offsets: (source: Int64, destination: Int64),
    count: Int
  ) async -> Relay.Outcome {
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
