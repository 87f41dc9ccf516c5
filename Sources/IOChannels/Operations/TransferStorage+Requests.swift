import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

extension TransferStorage {
  /// The result of performed actions.
  private struct Outcome {
    /// Whether the operation has ended.
    var hasEnded = false
    /// The memory to be released.
    var released = 0

    /// Returns the memory to be released, once.
    mutating func takeReleased() -> Int {
      defer { released = 0 }
      return released
    }
  }

  /// Performs actions, and those that follow from them.
  ///
  /// If `mayTryNow`, the first request may be carried out on this thread.
  ///
  /// - Returns: Whether the operation has ended, so that the channel has to be notified.
  func perform(_ actions: consuming Machine.Actions, mayTryNow: Bool = false) -> Bool {
    let outcome = carryOut(consume actions, mayTryNow: mayTryNow)
    target.channel.release(outcome.released)
    return outcome.hasEnded
  }

  /// Performs actions. With `isGrant` the budget grants memory at this moment, and also takes back
  /// the released memory.
  private func carryOut(
    _ actions: consuming Machine.Actions,
    mayTryNow: Bool = false,
    isGrant: Bool = false
  ) -> Outcome {
    var outcome = Outcome()
    var mayTryNow = mayTryNow
    var batch = consume actions
    while !batch.isEmpty {
      var next = Machine.Actions()
      for index in batch.indices {
        switch batch.take(at: index) {
        case .prepare(let transfer):
          change(&next) { machine, actions in prepare(transfer, &machine, &actions) }
        case .submit(let request):
          submit(request, mayTryNow: mayTryNow, &next)
          mayTryNow = false
        case .cancel(let request):
          target.engine.cancel(request)
        case .probe(let descriptor):
          let hasMore = descriptor.isReadable
          change(&next) { machine, actions in machine.probed(hasMore: hasMore, &actions) }
        case .release(let bytes):
          outcome.released += bytes
        case .charge(let bytes):
          target.channel.account.charge(bytes)
        case .setPosition(let descriptor, let position):
          // The position was readable at the start; a closed descriptor has none.
          _ = try? descriptor.setPosition(position)
        case .publish:
          change(&next) { machine, actions in machine.publish(&actions) }
        case .callHandler(let isCounted):
          // The handler may return before this thread continues, and its memory counts until then
          // only (S217).
          if !isGrant { target.channel.release(outcome.takeReleased()) }
          submitCall()
          if isCounted { change(&next) { machine, actions in machine.submitted(&actions) } }
        case .stopTimer:
          withState { $0.stopTimer.take() }?()
        case .end:
          outcome.hasEnded = true
        }
      }
      batch = consume next
    }
    return outcome
  }

  /// Takes the memory of a transfer from the budget, or waits for it, and creates the request.
  ///
  /// It runs under the lock: a stop either prevents it or finds its result, so that no memory is
  /// taken for an operation that has ended.
  private func prepare(
    _ transfer: Machine.Transfer,
    _ machine: inout Machine,
    _ actions: inout Machine.Actions
  ) {
    guard machine.requestPlace != nil, machine.part(preparedBy: transfer) != nil,
      transfer.memory == 0 || target.channel.take(transfer.memory, orCall: self)
    else { return }
    makeRequest(for: transfer, &machine, &actions)
  }

  /// Creates the request of a transfer that has its memory of the budget.
  private func makeRequest(
    for transfer: Machine.Transfer,
    _ machine: inout Machine,
    _ actions: inout Machine.Actions
  ) {
    guard let (operation, memory) = makeOperation(for: transfer) else {
      return machine.refused(transfer, .noMemory, &actions)
    }
    let request = target.request(
      consume operation,
      for: transfer,
      priority: classQueue?.effectiveClass ?? queue.effectiveClass,
      isUncached: isUncached,
      owner: self
    )
    if let request {
      machine.prepared(transfer, request, memory, &actions)
    } else {
      machine.refused(transfer, .invalidArgument, &actions)
    }
  }

  /// Creates the operation of a transfer, and the memory of a read; nil if there is no memory.
  private func makeOperation(
    for transfer: Machine.Transfer
  ) -> (Request.Operation, PooledBuffer?)? {
    let channel = target.channel
    switch transfer.content {
    case .read(let memory, let range):
      guard let memory = memory ?? channel.makeBuffer(atLeast: transfer.memory) else { return nil }
      return (.read(memory, range), memory)
    case .write(let data):
      if transfer.memory == 0 { return (.write(data), nil) }
      guard let memory = channel.makeBuffer(atLeast: data.count) else { return nil }
      return (.write(memory.filled(with: data)), nil)
    }
  }

  private func submit(
    _ request: Request,
    mayTryNow: Bool,
    _ actions: inout Machine.Actions
  ) {
    guard mayTryNow, let result = tryNow(request) else { return target.channel.submit(request) }
    change(&actions) { machine, actions in machine.answered(request.tag, result, &actions) }
  }

  /// Tries to carry out a request on this thread, which must not wait.
  ///
  /// - Returns: The result; nil if the request has to be submitted.
  private func tryNow(_ request: Request) -> TransferResult? {
    if case .write = target.direction { return target.engine.writeAtOnce(request) }
    return target.channel.readAtOnce(request)
  }
}

extension TransferStorage: BudgetWaiter {
  func memoryGranted(_ bytes: Int) -> Int {
    if let unused = search(withGrant: bytes) { return unused }
    var actions = Machine.Actions()
    var isUsed = false
    change(&actions) { machine, actions in
      guard let transfer = machine.grantedTransfer() else { return }
      isUsed = true
      makeRequest(for: transfer, &machine, &actions)
    }
    // The operation may have ended in the meantime.
    return isUsed ? performGranted(consume actions) : bytes
  }

  /// Performs actions while the budget grants memory, and returns the memory to be released.
  func performGranted(_ actions: consuming Machine.Actions) -> Int {
    let outcome = carryOut(consume actions, isGrant: true)
    if outcome.hasEnded { target.channel.operationEnded(self) }
    return outcome.released
  }
}
