import IOChannelsEngine
import IOChannelsSystem
import QueueRuntime

/// One end of a relay, which is an operation among those of its descriptor.
final class RelayEnd: ChannelOperation {
  let id: OperationID
  let side: RelayState.Side
  let target: OperationTarget
  /// The queue whose quality of service the requests have.
  private let classQueue: WorkQueue
  private let isUncached: Bool
  private let relay: Relay

  init(
    _ id: OperationID,
    _ side: RelayState.Side,
    _ target: OperationTarget,
    _ settings: ChannelSettings,
    queue: WorkQueue,
    relay: Relay
  ) {
    self.id = id
    self.side = side
    self.target = target
    isUncached = settings.isUncached
    classQueue = settings.target ?? queue
    self.relay = relay
  }

  var number: Int { id.number }
  var searchesCache: Bool { false }
  var channel: Int { target.channel.number }
  var channelIdentity: ObjectIdentifier { ObjectIdentifier(target.channel) }
  var ordering: OrderingConstraint { target.ordering }
  var isOver: Bool { relay.isOver }

  func start(on file: Result<OpenFile?, SystemError>, mayTryNow: Bool) -> Bool {
    relay.begin(self, on: file)
  }

  func stop(_ error: SystemError) {
    relay.stop(RelayState.Failure(side: side, reason: error))
  }

  func cancel() { stop(.canceled) }

  func requestEnded(_ request: Request, with result: TransferResult) {
    relay.requestEnded(side, result)
  }

  /// Creates a request at a place, for the bytes after the first `count` ones.
  ///
  /// - Returns: Nil if the offset is larger than the kernel's largest one.
  func request(
    _ operation: Request.Operation,
    _ content: TransferStorage.Machine.Transfer.Content,
    at place: TransferPlace,
    after count: Int
  ) -> Request? {
    let transfer = TransferStorage.Machine.Transfer(
      part: 0,
      memory: 0,
      content: content,
      place: place,
      offset: count
    )
    return target.request(
      operation,
      for: transfer,
      priority: classQueue.effectiveClass,
      isUncached: isUncached,
      owner: self
    )
  }
}
