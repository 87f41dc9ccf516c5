import DataRegions
import QueueRuntime
import RequestEngine
import SystemCalls

/// A read or write that a channel was asked for: the lock, the requests and the handler around the
/// part that decides.
final class TransferOperation<Work: TransferWork>: ChannelOperation {
  private struct State {
    var work: Work
    var steps: [TransferStep] = []
    /// The file offset of the first byte, `nil` where the kernel decides.
    var first: Int64?
    var hasBegun = false
    var hasEnded = false
    /// Why the operation ends as soon as it has begun.
    var stopError: Errno?
    /// In the kernel's hands; a handful at most.
    var requests: [Request] = []
    var outbox = Outbox<Delivery>()
  }

  /// What is left to do when the lock is free again.
  private struct Effects {
    var requests: [Request] = []
    var cancellations: [Request] = []
    var mustSchedule = false
    var hasEnded = false
  }

  let number: Int
  let line: OperationLine
  private let target: OperationTarget
  private let queue: WorkQueue
  private let handler: IOChannel.Handler
  private let observer: any OperationObserver
  private let state: BargingLock<State>

  init(
    number: Int,
    line: OperationLine,
    target: OperationTarget,
    work: Work,
    queue: WorkQueue,
    observer: any OperationObserver,
    handler: @escaping IOChannel.Handler
  ) {
    self.number = number
    self.line = line
    self.target = target
    self.queue = queue
    self.handler = handler
    self.observer = observer
    state = BargingLock(State(work: work))
  }

  func start() -> Bool {
    let first: Result<Int64?, Errno>
    do throws(Errno) {
      first = .success(try target.firstOffset())
    } catch {
      first = .failure(error)
    }
    return change { state in
      state.hasBegun = true
      if let error = state.stopError { return state.work.stop(error, &state.steps) }
      switch first {
      case .success(let offset):
        state.first = offset
        state.work.start(&state.steps)
      case .failure(let error):
        state.work.stop(error, &state.steps)
      }
    }
  }

  /// One that waits for its turn ends when that comes, so that ends come in order.
  func forbidStart(_ error: Errno) {
    state.withLock { $0.stopError = error }
  }

  func stop(_ error: Errno) {
    let hasEnded = change(cancelsRequests: true) { state in
      guard state.hasBegun else { return }
      state.work.stop(error, &state.steps)
    }
    if hasEnded { observer.operationEnded(self) }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    let hasEnded = change { state in
      state.requests.removeAll { $0 === request }
      state.work.answered(request.tag, result, &state.steps)
    }
    if hasEnded { observer.operationEnded(self) }
  }

  /// Runs the deliveries that have come, on the handler's queue.
  private func runHandlers() {
    while let delivery = state.withLock({ $0.outbox.next() }) {
      handler(delivery.isDone, delivery.data, delivery.error)
      if delivery.isDone {
        observer.handlersReturned(from: self)
      } else {
        let hasEnded = change { state in state.work.returned(from: delivery, &state.steps) }
        if hasEnded { observer.operationEnded(self) }
      }
    }
  }

  /// Changes the state under the lock and does what follows from it outside.
  ///
  /// - Returns: Whether the operation has ended by this.
  private func change(cancelsRequests: Bool = false, _ body: (inout State) -> Void) -> Bool {
    let effects = state.withLock { state in
      body(&state)
      var effects = Effects()
      takeSteps(&state, &effects)
      if cancelsRequests { effects.cancellations = state.requests }
      if state.hasBegun, !state.hasEnded, state.work.isFinished {
        state.hasEnded = true
        effects.hasEnded = true
      }
      return effects
    }
    for request in effects.requests { target.engine.submit(request) }
    for request in effects.cancellations { target.engine.cancel(request) }
    if effects.mustSchedule { queue.async { [self] in runHandlers() } }
    return effects.hasEnded
  }

  private func takeSteps(_ state: inout State, _ effects: inout Effects) {
    var index = 0
    // A transfer that no file has room for is answered at once, which adds further steps.
    while index < state.steps.count {
      switch state.steps[index] {
      case .transfer(let transfer, let tag, let offset):
        let request = target.request(
          transfer,
          first: state.first,
          offset: offset,
          tag: tag,
          owner: self
        )
        if let request {
          state.requests.append(request)
          effects.requests.append(request)
        } else {
          state.work.answered(tag, .failure(.invalidArgument), &state.steps)
        }
      case .deliver(let delivery):
        if delivery.isDone { target.moved(from: state.first, by: state.work.movedCount) }
        effects.mustSchedule = state.outbox.append(delivery) || effects.mustSchedule
      }
      index += 1
    }
    state.steps.removeAll(keepingCapacity: true)
  }
}
