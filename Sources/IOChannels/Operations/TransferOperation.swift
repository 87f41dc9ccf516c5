import DataRegions
import QueueRuntime
import RequestEngine
import SystemCalls

/// A read or write that a channel was asked for: the lock, the requests and the handler around the
/// part that decides.
final class TransferOperation: ChannelOperation {
  private struct State {
    var work: ReadOrWrite
    /// Goes with the last delivery, on its queue: the operation itself may end on a thread of the
    /// engine, which must not free what belongs to a program.
    var handler: IOChannel.Handler?
    var steps: [TransferStep] = []
    /// Transfers that wait for memory, of which the first is known to the budget.
    var stalled = FirstInFirstOut<Stalled>()
    /// Where it moves bytes, once it has begun and if there are any.
    var file: OpenFile?
    /// The file offset of the first byte, `nil` where the kernel decides.
    var first: Int64?
    var hasBegun = false
    /// Whether its last delivery is given out.
    var isDone = false
    /// Ends the calls of `tick`.
    var stopTimer: (@Sendable () -> Void)?
    var hasEnded = false
    /// Why the operation ends as soon as it begins.
    var stopError: Errno?
    /// In the kernel's hands; a handful at most.
    var requests: [Request] = []
    var outbox = Outbox<Delivery>()

    mutating func nextDelivery() -> (Delivery, IOChannel.Handler?)? {
      guard let delivery = outbox.next() else { return nil }
      return (delivery, delivery.isDone ? handler.take() : handler)
    }
  }

  private struct Stalled {
    let tag: Int
    let memory: Int
    let offset: Int
  }

  /// What is left to do when the lock is free again.
  private struct Effects {
    var requests: [Request] = []
    var cancellations: [Request] = []
    var returnedMemory = 0
    var mustSchedule = false
    var hasEnded = false
    var stopTimer: (@Sendable () -> Void)?
  }

  let number: Int
  let channel: Int
  let line: OperationLine
  private let target: OperationTarget
  private let queue: WorkQueue
  /// The queue that says how urgent the requests are.
  private let classQueue: WorkQueue
  private let observer: any OperationObserver
  private let state: BargingLock<State>

  init(
    number: Int,
    channel: Int,
    line: OperationLine,
    target: OperationTarget,
    work: ReadOrWrite,
    queue: WorkQueue,
    classQueue: WorkQueue,
    observer: any OperationObserver,
    handler: @escaping IOChannel.Handler
  ) {
    self.number = number
    self.channel = channel
    self.line = line
    self.target = target
    self.queue = queue
    self.classQueue = classQueue
    self.observer = observer
    state = BargingLock(State(work: work, handler: handler))
  }

  package var channelIdentity: ObjectIdentifier { ObjectIdentifier(observer) }

  func start(on file: Result<OpenFile?, Errno>) -> Bool {
    let place = file.flatMap { file in
      Result<(file: OpenFile?, first: Int64?), Errno> { () throws(Errno) in
        (file, try file.flatMap { (file) throws(Errno) in try target.firstOffset(in: file) })
      }
    }
    return change { state, _ in
      state.hasBegun = true
      switch place {
      case .failure(let error):
        state.work.stop(error, &state.steps)
      case .success(let place):
        // Cancelled before its turn.
        if state.work.isFinished { return }
        if let error = state.stopError { return state.work.stop(error, &state.steps) }
        state.file = place.file
        state.first = place.first
        state.work.start(on: place.file, at: place.first, &state.steps)
      }
    }
  }

  /// One that waits for its turn ends when that comes, so that ends come in order.
  func stop(_ error: Errno) {
    let hasEnded = change(cancelsRequests: true) { state, _ in
      state.stopError = error
      guard state.hasBegun else { return }
      state.work.stop(error, &state.steps)
    }
    if hasEnded { observer.operationEnded(self) }
  }

  func cancel() {
    let hasEnded = change(cancelsRequests: true) { state, _ in
      state.work.stop(.canceled, &state.steps)
    }
    if hasEnded { observer.operationEnded(self) }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    let hasEnded = change { state, _ in
      state.requests.removeAll { $0 === request }
      state.work.answered(request.tag, result, &state.steps)
    }
    if hasEnded { observer.operationEnded(self) }
  }

  /// Runs the deliveries that have come, on the handler's queue.
  private func runHandlers() {
    while let (delivery, handler) = state.withLock({ $0.nextDelivery() }) {
      handler?(delivery.isDone, delivery.data, delivery.error)
      target.account.giveBack(delivery.memory)
      if delivery.isDone {
        observer.handlersReturned(from: self)
      } else {
        let hasEnded = change { state, _ in state.work.returned(from: delivery, &state.steps) }
        if hasEnded { observer.operationEnded(self) }
      }
    }
  }

  /// Changes the state under the lock and does what follows from it outside.
  ///
  /// - Returns: Whether the operation has ended by this.
  private func change(
    cancelsRequests: Bool = false,
    _ body: (inout State, inout Effects) -> Void
  ) -> Bool {
    let effects = update(cancelsRequests: cancelsRequests, body)
    target.account.giveBack(effects.returnedMemory)
    carryOut(effects)
    return effects.hasEnded
  }

  private func update(
    cancelsRequests: Bool = false,
    _ body: (inout State, inout Effects) -> Void
  ) -> Effects {
    state.withLock { state in
      var effects = Effects()
      body(&state, &effects)
      takeSteps(&state, &effects)
      if cancelsRequests { effects.cancellations = state.requests }
      if state.hasBegun, !state.hasEnded, state.work.isFinished {
        state.hasEnded = true
        effects.hasEnded = true
      }
      return effects
    }
  }

  private func carryOut(_ effects: Effects) {
    for request in effects.requests { target.engine.submit(request) }
    for request in effects.cancellations { target.engine.cancel(request) }
    if effects.mustSchedule { queue.async { [self] in runHandlers() } }
    effects.stopTimer?()
  }

  private func takeSteps(_ state: inout State, _ effects: inout Effects) {
    var index = 0
    // A transfer that no file has room for, or whose bytes nobody needs any more, is answered at
    // once, which adds further steps.
    while true {
      if index == state.steps.count { endStalledIfUseless(&state) }
      guard index < state.steps.count else { break }
      switch state.steps[index] {
      case .transfer(let tag, let memory, let offset):
        let transfer = Stalled(tag: tag, memory: memory, offset: offset)
        if hasMemory(for: transfer, &state) {
          begin(transfer, &state, &effects)
        } else {
          state.stalled.append(transfer)
        }
      case .giveBack(let memory):
        effects.returnedMemory += memory
      case .deliver(let delivery):
        // What was read moves from the transfer to the delivery, and is never counted twice.
        let moved = min(delivery.memory, effects.returnedMemory)
        effects.returnedMemory -= moved
        target.account.charge(delivery.memory - moved)
        if delivery.isDone {
          state.isDone = true
          effects.stopTimer = state.stopTimer.take()
          #if MUTANTS
            if Mutant.timerLeftRunning.isActive { effects.stopTimer = nil }
          #endif
          target.moved(in: state.file, from: state.first, by: state.work.movedCount)
        }
        effects.mustSchedule = state.outbox.append(delivery) || effects.mustSchedule
      }
      index += 1
    }
    state.steps.removeAll(keepingCapacity: true)
  }

  private func begin(_ transfer: Stalled, _ state: inout State, _ effects: inout Effects) {
    guard let file = state.file, let made = state.work.makeTransfer(transfer.tag) else {
      effects.returnedMemory += transfer.memory
      return state.work.answered(transfer.tag, .failure(.noMemory), &state.steps)
    }
    let request = target.request(
      made,
      in: file,
      first: state.first,
      offset: transfer.offset,
      priority: classQueue.effectiveClass,
      tag: transfer.tag,
      owner: self
    )
    guard let request else {
      return state.work.answered(transfer.tag, .failure(.invalidArgument), &state.steps)
    }
    state.requests.append(request)
    effects.requests.append(request)
  }
}

// MARK: - Intervals

extension TransferOperation {
  /// Has what came delivered each time that an interval has passed, from now on.
  func tick(every interval: Duration) {
    let stop = target.engine.timers(interval) { [self] in tick() }
    let isLate = state.withLock { state in
      if !state.isDone { state.stopTimer = stop }
      return state.isDone
    }
    if isLate { stop() }
  }

  private func tick() {
    let hasEnded = change { state, _ in
      // One that waits for its turn has nothing to tell (S136), and a handler that is slow gets no
      // more than one call that brings nothing (S137).
      guard state.hasBegun, state.outbox.isEmpty else { return }
      state.work.tick(&state.steps)
    }
    if hasEnded { observer.operationEnded(self) }
  }
}

// MARK: - Memory

extension TransferOperation: BudgetWaiter {
  /// Takes memory for a transfer, unless others of the operation wait for some.
  private func hasMemory(for transfer: Stalled, _ state: inout State) -> Bool {
    if transfer.memory == 0 { return true }
    return state.stalled.isEmpty && target.account.take(transfer.memory, orCall: self)
  }

  func memoryGranted(_ bytes: Int) -> Int {
    let effects = update { state, effects in
      // What waited may have ended in the meantime.
      guard let first = state.stalled.popFirst() else { return effects.returnedMemory += bytes }
      begin(first, &state, &effects)
      while let next = state.stalled.first {
        guard target.account.take(next.memory, orCall: self) else { break }
        _ = state.stalled.popFirst()
        begin(next, &state, &effects)
      }
    }
    carryOut(effects)
    if effects.hasEnded { observer.operationEnded(self) }
    return effects.returnedMemory
  }

  /// Answers what waits for memory once nobody needs its bytes any more.
  private func endStalledIfUseless(_ state: inout State) {
    if state.work.wantsMore { return }
    while let transfer = state.stalled.popFirst() {
      state.work.answered(transfer.tag, .failure(.canceled), &state.steps)
    }
  }
}
