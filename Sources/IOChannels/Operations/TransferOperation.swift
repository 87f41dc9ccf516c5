import DataRegions
import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// A read or write that a channel was asked for: the lock, the requests and the handler around the
/// part that decides.
final class TransferOperation: ChannelOperation {
  /// What there is from the submission to the last handler. Many operations may wait for their
  /// turn, so this has only what they need.
  private struct State {
    var stage: Stage
    /// Goes with the last delivery, on its queue: the operation itself may end on a thread of the
    /// engine, which must not free what belongs to a program.
    var handler: Handler?
    var hasBegun = false
    var hasEnded = false
    /// Why the operation ends as soon as it begins.
    var stopError: SystemError?
    /// Ends the calls of `tick`.
    var stopTimer: (@Sendable () -> Void)?

    /// What there is once it has begun, or was cancelled.
    var run: Run? {
      if case .run(let run) = stage { run } else { nil }
    }

    /// The same, made of the job where there is none, whose bytes are no longer held here then.
    mutating func makeRun(_ engine: Engine) -> Run {
      switch stage {
      case .run(let run): return run
      case .waiting(let job):
        let run = Run(job.makeWork(for: engine))
        stage = .run(run)
        return run
      }
    }

    mutating func nextDelivery() -> (Delivery, Handler?)? {
      guard let delivery = run?.progress.outbox.next() else { return nil }
      return (delivery, delivery.isDone ? handler.take() : handler)
    }

    func beginVisit() -> Int? { run?.progress.outbox.beginVisit() }

    func endVisit() -> Bool { run?.progress.outbox.endVisit() ?? false }

    /// Notes that a visit was submitted.
    ///
    /// - Returns: Whether the operation ends by that.
    mutating func submittedVisit() -> Bool {
      guard let run else { return false }
      run.progress.outbox.submitted()
      return endsNow(run.progress)
    }

    /// Whether the operation ends by what just changed: all that it has delivered must have its
    /// place in the handler's queue before the next operation delivers something.
    mutating func endsNow(_ progress: borrowing Progress) -> Bool {
      guard hasBegun, !hasEnded, progress.outbox.isSubmitted, progress.work.isFinished else {
        return false
      }
      hasEnded = true
      return true
    }
  }

  private enum Stage {
    case waiting(TransferJob)
    case run(Run)
  }

  /// The place of an operation's progress, which is changed under the lock of its state.
  private final class Run {
    var progress: Progress

    init(_ work: ReadOrWrite) { progress = Progress(work: work) }
  }

  private struct Progress {
    var work: ReadOrWrite
    /// Transfers that wait for memory, of which the first is known to the budget.
    var stalled = FirstInFirstOut<StalledTransfer>()
    /// Where it moves bytes, if there are any.
    var file: OpenFile?
    /// The file offset of the first byte, `nil` where the kernel decides.
    var first: Int64?
    /// Whether its last delivery is given out.
    var isDone = false
    /// In the kernel's hands; a handful at most.
    var requests = ShortList<Request>()
    var outbox = Outbox<Delivery>()
  }

  /// Generic code that a bare function passes wraps it in another one, which takes memory.
  private struct Handler {
    let call: IOChannel.Handler
  }

  let number: Int
  let ordering: OrderingConstraint
  private let target: OperationTarget
  private let queue: WorkQueue
  /// The queue that says how urgent the requests are, if that is not the handler's.
  private let classQueue: WorkQueue?
  private let state: BargingLock<State>

  init(
    number: Int,
    ordering: OrderingConstraint,
    target: OperationTarget,
    job: TransferJob,
    queue: WorkQueue,
    classQueue: WorkQueue?,
    handler: @escaping IOChannel.Handler
  ) {
    self.number = number
    self.ordering = ordering
    self.target = target
    self.queue = queue
    self.classQueue = classQueue
    state = BargingLock(State(stage: .waiting(job), handler: Handler(call: handler)))
  }

  var channel: Int { target.channel.number }

  package var channelIdentity: ObjectIdentifier { ObjectIdentifier(target.channel) }

  var isOver: Bool { state.withLock { $0.run?.progress.isDone ?? false } }

  func start(on file: Result<OpenFile?, SystemError>, mayWriteAtOnce: Bool) -> Bool {
    let place = file.flatMap { file in
      Result<(file: OpenFile?, first: Int64?), SystemError> { () throws(SystemError) in
        (file, try file.flatMap { (file) throws(SystemError) in try target.firstOffset(in: file) })
      }
    }
    let effects = update { state, progress, effects in
      state.hasBegun = true
      switch place {
      case .failure(let error):
        progress.work.stop(error, &effects.steps)
      case .success(let place):
        // Cancelled before its turn.
        if progress.work.isFinished { return }
        if let error = state.stopError { return progress.work.stop(error, &effects.steps) }
        progress.file = place.file
        progress.first = place.first
        progress.work.start(on: place.file, at: place.first, &effects.steps)
      }
    }
    target.account.release(effects.returnedMemory)
    // A write has one request at a time.
    if mayWriteAtOnce, effects.requests.count == 1,
      let count = target.engine.writeAtOnce(effects.requests[0])
    {
      return answered(effects.requests[0], .success(count))
    }
    return carryOut(effects)
  }

  /// One that waits for its turn ends when that comes, so that ends come in order.
  func stop(_ error: SystemError) {
    let waits = state.withLock { state in
      state.stopError = error
      return !state.hasBegun
    }
    // If it begins in between, it has seen the error.
    if waits { return }
    let hasEnded = change(cancelsRequests: true) { _, progress, effects in
      progress.work.stop(error, &effects.steps)
    }
    if hasEnded { target.channel.operationEnded(self) }
  }

  func cancel() {
    let hasEnded = change(cancelsRequests: true) { _, progress, effects in
      progress.work.stop(.canceled, &effects.steps)
    }
    if hasEnded { target.channel.operationEnded(self) }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    if answered(request, result) { target.channel.operationEnded(self) }
  }

  /// Takes the answer of a request.
  ///
  /// - Returns: Whether the operation has ended by this.
  private func answered(_ request: Request, _ result: TransferResult) -> Bool {
    change { _, progress, effects in
      if let index = progress.requests.firstIndex(where: { $0 === request }) {
        progress.requests.remove(at: index)
      }
      progress.work.answered(request.tag, result, &effects.steps)
    }
  }

  /// Runs the deliveries that have come, on the handler's queue. What comes meanwhile takes a new
  /// place in it, behind what others have submitted.
  private func runHandlers() {
    guard let count = state.withLock({ $0.beginVisit() }) else { return }
    for _ in 0..<count {
      guard let (delivery, handler) = state.withLock({ $0.nextDelivery() }) else { break }
      handler?.call(delivery.isDone, delivery.data, delivery.error)
      target.account.release(delivery.memory)
      if delivery.isDone {
        target.channel.handlersReturned(from: self)
      } else {
        let hasEnded = change { _, progress, effects in
          progress.work.returned(from: delivery, &effects.steps)
        }
        if hasEnded { target.channel.operationEnded(self) }
      }
    }
    if state.withLock({ $0.endVisit() }) { queue.deliver { [self] in runHandlers() } }
  }

  /// Changes the state under the lock and does what follows from it outside.
  ///
  /// - Returns: Whether the operation has ended by this.
  private func change(
    cancelsRequests: Bool = false,
    _ body: (inout State, inout Progress, inout TransferEffects) -> Void
  ) -> Bool {
    let effects = update(cancelsRequests: cancelsRequests, body)
    target.account.release(effects.returnedMemory)
    return carryOut(effects)
  }

  private func update(
    cancelsRequests: Bool = false,
    _ body: (inout State, inout Progress, inout TransferEffects) -> Void
  ) -> TransferEffects {
    state.withLock { state in
      let run = state.makeRun(target.engine)
      var effects = TransferEffects()
      body(&state, &run.progress, &effects)
      takeSteps(&state, &run.progress, &effects)
      if cancelsRequests { effects.cancellations = run.progress.requests }
      return effects
    }
  }

  /// Does what is left to do outside the lock.
  ///
  /// - Returns: Whether the operation has ended by this.
  private func carryOut(_ effects: borrowing TransferEffects) -> Bool {
    for index in effects.requests.indices { target.engine.submit(effects.requests[index]) }
    for index in effects.cancellations.indices {
      target.engine.cancel(effects.cancellations[index])
    }
    if effects.mustSchedule { queue.deliver { [self] in runHandlers() } }
    effects.stopTimer?()
    return effects.isCounted ? state.withLock { $0.submittedVisit() } : effects.hasEnded
  }

  private func takeSteps(
    _ state: inout State,
    _ progress: inout Progress,
    _ effects: inout TransferEffects
  ) {
    var index = 0
    var delivered = 0
    // A transfer that no file has room for, or whose bytes nobody needs any more, is answered at
    // once, which adds further steps.
    while true {
      if index == effects.steps.count { endStalledIfUseless(&progress, &effects) }
      guard index < effects.steps.count else { break }
      switch effects.steps[index] {
      case .transfer(let tag, let memory, let offset):
        let transfer = StalledTransfer(tag: tag, memory: memory, offset: offset)
        if hasMemory(for: transfer, progress) {
          begin(transfer, &progress, &effects)
        } else {
          progress.stalled.append(transfer)
        }
      case .giveBack(let memory):
        effects.returnedMemory += memory
      case .deliver(let delivery):
        delivered += delivery.memory
        if delivery.isDone {
          progress.isDone = true
          effects.stopTimer = state.stopTimer.take()
          target.moved(in: progress.file, from: progress.first, by: progress.work.movedCount)
        }
        effects.mustSchedule = progress.outbox.append(delivery) || effects.mustSchedule
      }
      index += 1
    }
    // What was read moves from the transfer to the delivery, and is never counted twice.
    let moved = min(delivered, effects.returnedMemory)
    effects.returnedMemory -= moved
    target.account.charge(delivered - moved)
    // A handler is to be the only owner of the bytes that it is called with.
    effects.steps.removeAll()
    effects.hasEnded = state.endsNow(progress)
    // Who ends it here submits before it says so.
    if effects.mustSchedule && !effects.hasEnded {
      effects.isCounted = true
      progress.outbox.willSubmit()
    }
  }

  private func begin(
    _ transfer: StalledTransfer,
    _ progress: inout Progress,
    _ effects: inout TransferEffects
  ) {
    guard let file = progress.file, let made = progress.work.makeTransfer(transfer.tag) else {
      effects.returnedMemory += transfer.memory
      return progress.work.answered(transfer.tag, .failure(.noMemory), &effects.steps)
    }
    let request = target.request(
      made,
      in: file,
      first: progress.first,
      offset: transfer.offset,
      priority: (classQueue ?? queue).effectiveClass,
      tag: transfer.tag,
      owner: self
    )
    guard let request else {
      return progress.work.answered(transfer.tag, .failure(.invalidArgument), &effects.steps)
    }
    progress.requests.append(request)
    effects.requests.append(request)
  }
}

// MARK: - Intervals

extension TransferOperation {
  /// Has what came delivered each time that an interval has passed, from now on.
  func tick(every interval: Duration) {
    let stop = target.engine.timers(interval) { [self] in tick() }
    let isLate = state.withLock { state in
      let isDone = state.run?.progress.isDone ?? false
      if !isDone { state.stopTimer = stop }
      return isDone
    }
    if isLate { stop() }
  }

  private func tick() {
    // One that waits for its turn has nothing to tell (S136).
    guard state.withLock({ $0.hasBegun }) else { return }
    let hasEnded = change { _, progress, effects in
      // A handler that is slow gets no more than one call that brings nothing (S137).
      guard progress.outbox.isEmpty else { return }
      progress.work.tick(&effects.steps)
    }
    if hasEnded { target.channel.operationEnded(self) }
  }
}

// MARK: - Memory

extension TransferOperation: BudgetWaiter {
  /// Takes memory for a transfer, unless others of the operation wait for some.
  private func hasMemory(for transfer: StalledTransfer, _ progress: borrowing Progress) -> Bool {
    if transfer.memory == 0 { return true }
    return progress.stalled.isEmpty && target.account.take(transfer.memory, orCall: self)
  }

  func memoryGranted(_ bytes: Int) -> Int {
    let effects = update { _, progress, effects in
      // What waited may have ended in the meantime.
      guard let first = progress.stalled.popFirst() else { return effects.returnedMemory += bytes }
      begin(first, &progress, &effects)
      while let next = progress.stalled.first {
        guard target.account.take(next.memory, orCall: self) else { break }
        _ = progress.stalled.popFirst()
        begin(next, &progress, &effects)
      }
    }
    if carryOut(effects) { target.channel.operationEnded(self) }
    return effects.returnedMemory
  }

  /// Answers what waits for memory once nobody needs its bytes any more.
  private func endStalledIfUseless(_ progress: inout Progress, _ effects: inout TransferEffects) {
    if progress.work.wantsMore { return }
    while let transfer = progress.stalled.popFirst() {
      progress.work.answered(transfer.tag, .failure(.canceled), &effects.steps)
    }
  }
}
