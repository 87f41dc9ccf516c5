package import IOChannelsEngine
import IOChannelsSystem

/// The owner of a request of a channel, which can be told from those of other channels.
package protocol ChannelRequestOwner: RequestOwner {
  /// The identity of the channel's inside.
  var channelIdentity: ObjectIdentifier { get }
}

/// The owner of requests that can be told from the other operations of its channel.
package protocol NumberedOperation: ChannelRequestOwner {
  /// Its place among the operations of the channel.
  var number: Int { get }
}

/// One read or write that a channel was asked for.
protocol ChannelOperation: NumberedOperation {
  /// The number of its channel.
  var channel: Int { get }

  /// Which other operations of the descriptor it waits for.
  var ordering: OrderingConstraint { get }

  /// Whether its end was told before its turn came, as it was cancelled.
  var isOver: Bool { get }

  /// Begins, or ends with the error; called once, when its turn has come.
  ///
  /// There is no file for one without bytes. What a pipe takes at once may be written on this
  /// thread if `mayWriteAtOnce`.
  ///
  /// - Returns: Whether it has ended by this; else the channel is told later.
  func start(on file: Result<OpenFile?, SystemError>, mayWriteAtOnce: Bool) -> Bool

  /// Ends it: at once, when the kernel has given everything back, or when its turn comes.
  func stop(_ error: SystemError)

  /// Ends it with `ECANCELED`, also before its turn.
  func cancel()
}
