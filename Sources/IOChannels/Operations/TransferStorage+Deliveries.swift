import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks

extension TransferStorage {
  /// One call of the handler, and the number of deliveries after it in the batch.
  fileprivate struct Call {
    let delivery: Delivery
    let handler: Handler?
    let rest: Int

    func run() { handler?.call(delivery.isDone, delivery.data, delivery.error.number) }
  }

  /// Calls the handler with the deliveries that are visible now, on its queue.
  ///
  /// Later ones get a work item after those that other operations have submitted.
  func callHandler() {
    var next: Call? = withMachine { machine, state in state.beginBatch(of: &machine) } ?? nil
    if next == nil { return }
    while let call = next.take() {
      call.run()
      target.channel.release(call.delivery.memory)
      if call.delivery.isDone {
        // No batch follows the one with the last delivery, so it needs no end.
        return target.channel.handlersReturned(from: self, call.delivery.error)
      }
      process { machine, actions in machine.returned(from: call.delivery, &actions) }
      next = withMachine { machine, state in state.nextCall(of: &machine, call.rest) } ?? nil
    }
    if withMachine({ machine, _ in machine.deliveries.endBatch() }) ?? false {
      submitCall()
    }
  }

  /// Submits a work item that calls the handler; there is at most one at a time.
  func submitCall() {
    queue.deliver(in: workMemory) { [self] in callHandler() }
  }

  /// Delivers the bytes that have arrived each time that an interval has passed.
  func tick(every interval: Duration) {
    let stop = target.engine.timers(interval) { [self] in
      // An operation that has not started has nothing to deliver (S136).
      process { machine, actions in machine.tick(&actions) }
    }
    let isNeeded = withMachine(
      madeBy: { state in
        // The state machine is created later, and learns of the timer then.
        state.stopTimer = stop
        return nil
      },
      { machine, state in
        let isNeeded = machine.timerStarted()
        if isNeeded { state.stopTimer = stop }
        return isNeeded
      }
    )
    if isNeeded == false { stop() }
  }
}

extension TransferStorage.State {
  /// Begins a batch, and removes its first delivery; nil while another batch is running.
  fileprivate mutating func beginBatch(
    of machine: inout TransferStorage.Machine
  ) -> TransferStorage.Call? {
    guard let count = machine.deliveries.beginBatch() else { return nil }
    let call = nextCall(of: &machine, count)
    if call == nil { _ = machine.deliveries.endBatch() }
    return call
  }

  /// Removes the next delivery of the batch, and the handler with the last one.
  fileprivate mutating func nextCall(
    of machine: inout TransferStorage.Machine,
    _ count: Int
  ) -> TransferStorage.Call? {
    guard count > 0, let delivery = machine.deliveries.next() else { return nil }
    let handler = delivery.isDone ? self.handler.take() : self.handler
    return TransferStorage.Call(delivery: delivery, handler: handler, rest: count - 1)
  }
}
