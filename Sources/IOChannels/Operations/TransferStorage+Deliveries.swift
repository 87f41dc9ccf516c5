import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks

extension TransferStorage {
  /// One call of the handler, and the number of deliveries after it in the batch.
  fileprivate typealias Call = (delivery: Delivery, handler: Handler?, rest: Int)

  /// Calls the handler with the deliveries that are visible now, on its queue.
  ///
  /// Later ones get a work item after those that other operations have submitted.
  func callHandler() {
    var next = withState { $0.beginBatch() }
    if next == nil { return }
    while let (delivery, handler, rest) = next.take() {
      handler?.call(delivery.isDone, delivery.data, delivery.error.number)
      target.account.release(delivery.memory)
      if delivery.isDone {
        // No batch follows the one with the last delivery, so it needs no end.
        return target.channel.handlersReturned(from: self, delivery.error)
      }
      process { machine, actions in machine.returned(from: delivery, &actions) }
      next = withState { $0.nextCall(of: rest) }
    }
    if withState({ $0.started?.machine.deliveries.endBatch() ?? false }) {
      queue.deliver { [self] in callHandler() }
    }
  }

  /// Delivers the bytes that have arrived each time that an interval has passed.
  func tick(every interval: Duration) {
    let stop = target.engine.timers(interval) { [self] in
      // An operation that has not started has nothing to deliver (S136).
      process { machine, actions in machine.tick(&actions) }
    }
    let isNeeded = withState { state -> Bool in
      let isNeeded = state.started?.machine.timerStarted() ?? true
      if isNeeded { state.stopTimer = stop }
      return isNeeded
    }
    if !isNeeded { stop() }
  }
}

extension TransferStorage.State {
  /// Begins a batch, and removes its first delivery; nil while another batch is running.
  fileprivate mutating func beginBatch() -> TransferStorage.Call? {
    guard let count = started?.machine.deliveries.beginBatch() else { return nil }
    let call = nextCall(of: count)
    if call == nil { _ = started?.machine.deliveries.endBatch() }
    return call
  }

  /// Removes the next delivery of the batch, and the handler with the last one.
  fileprivate mutating func nextCall(of count: Int) -> TransferStorage.Call? {
    guard count > 0, let delivery = started?.machine.deliveries.next() else { return nil }
    return (delivery, delivery.isDone ? handler.take() : handler, count - 1)
  }
}
