import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks

extension TransferStorage {
  /// Calls the handler with the deliveries that are visible now, on its queue.
  ///
  /// Later ones get a work item after those that other operations have submitted.
  func callHandler() {
    guard let count = state.withLock({ $0.started?.machine.deliveries.beginBatch() }) else {
      return
    }
    for _ in 0..<count {
      guard let (delivery, handler) = state.withLock({ $0.nextDelivery() }) else { break }
      handler?.call(delivery.isDone, delivery.data, delivery.error.number)
      target.account.release(delivery.memory)
      if delivery.isDone {
        target.channel.handlersReturned(from: self, delivery.error)
      } else {
        process { machine, actions in machine.returned(from: delivery, &actions) }
      }
    }
    if state.withLock({ $0.started?.machine.deliveries.endBatch() ?? false }) {
      queue.deliver { [self] in callHandler() }
    }
  }

  /// Delivers the bytes that have arrived each time that an interval has passed.
  func tick(every interval: Duration) {
    let stop = target.engine.timers(interval) { [self] in
      // An operation that has not started has nothing to deliver (S136).
      process { machine, actions in machine.tick(&actions) }
    }
    let isNeeded = state.withLock { state -> Bool in
      let isNeeded = state.started?.machine.timerStarted() ?? true
      if isNeeded { state.stopTimer = stop }
      return isNeeded
    }
    if !isNeeded { stop() }
  }
}

extension TransferStorage.State {
  /// Removes the next delivery, and the handler with the last one.
  fileprivate mutating func nextDelivery() -> (Delivery, TransferStorage.Handler?)? {
    guard let delivery = started?.machine.deliveries.next() else { return nil }
    return (delivery, delivery.isDone ? handler.take() : handler)
  }
}
