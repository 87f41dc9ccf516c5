package import IOChannelsEngine
import IOChannelsSystem

/// The owner of a request of a channel, which can be distinguished from those of other channels.
package protocol ChannelRequestOwner: RequestOwner {
  /// The identity of the channel's implementation.
  var channelIdentity: ObjectIdentifier { get }
}

/// The owner of requests that can be distinguished from other operations of its channel.
package protocol NumberedOperation: ChannelRequestOwner {
  /// The place among the operations of the channel.
  var number: Int { get }
}

/// An operation that was submitted to a channel.
protocol ChannelOperation: NumberedOperation {
  /// The identity in the channel.
  var id: OperationID { get }

  /// The number of the channel.
  var channel: Int { get }

  /// The other operations of the descriptor that the operation waits for.
  var ordering: OrderingConstraint { get }

  /// Whether the operation searches for its bytes in the page cache before it requests them.
  var searchesCache: Bool { get }

  /// Whether the end was reported before the start, because the operation was cancelled.
  var isOver: Bool { get }

  /// Starts the operation, or ends it with an error; called once, in the order of the descriptor.
  ///
  /// An operation without bytes has no file. If `mayTryNow`, a write to a pipe or socket, or a read
  /// from a pipe, may be made on this thread.
  ///
  /// - Returns: Whether the operation has ended; otherwise it notifies the channel later.
  func start(on file: Result<OpenFile?, SystemError>, mayTryNow: Bool) -> Bool

  /// Ends the operation: when the kernel has released all its memory, or when it starts.
  func stop(_ error: SystemError)

  /// Ends the operation with `ECANCELED`, also before it starts.
  func cancel()
}
