package import RequestEngine
import SystemCalls

/// The owner of requests that can be told from the other operations of its channel.
package protocol NumberedOperation: RequestOwner {
  /// Its place among the operations of the channel.
  var number: Int { get }
}

/// One read or write that a channel was asked for.
protocol ChannelOperation: NumberedOperation {
  /// Which other operations of the descriptor it waits for.
  var line: OperationLine { get }

  /// Begins; called once, when its turn has come.
  ///
  /// - Returns: Whether it has ended by this; else the observer is told later.
  func start() -> Bool

  /// Makes it end when its turn comes, if it has not begun.
  func forbidStart(_ error: Errno)

  /// Ends what has begun: at once, or when the kernel has given everything back.
  func stop(_ error: Errno)

  /// Ends it with `ECANCELED`, also before its turn.
  func cancel()
}

/// What an operation tells its channel.
protocol OperationObserver: AnyObject, Sendable {
  /// The operation has ended after it began, and its last delivery is on the handler's queue.
  func operationEnded(_ operation: any ChannelOperation)

  /// The last handler of the operation has returned.
  func handlersReturned(from operation: any ChannelOperation)
}
