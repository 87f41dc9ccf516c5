internal import IOChannelsLocks
internal import Synchronization

// The steps of a source on its queue.

extension SourceCore {
  func submit(_ submission: Submission) {
    let queue = submission.queue
    if submission.qos == .unspecified {
      queue.deliver { self.runStep(on: queue) }
    } else {
      queue.deliver(qos: submission.qos, flags: submission.flags) { self.runStep(on: queue) }
    }
  }

  /// Runs one step, so that other work of the queue comes between two of them. The cancel handler
  /// follows at once: work in between would find a source that ends without an end to be seen.
  private func runStep(on queue: WorkQueue) {
    switch state.withLock({ $0.begin(on: queue) }) {
    case .nothing: return
    case .elsewhere(let submission): return submit(submission)
    case .step(let step, let handlers): run(step, consume handlers)
    }
    let next = state.withLock { state in
      state.life.finishStep().contains(.submit) ? state.submission : nil
    }
    guard let next else { return }
    if next.isCancelHandler, next.qos == .unspecified { runStep(on: queue) } else { submit(next) }
  }

  private func run(_ step: SourceState.Step, _ handlers: consuming SourceHandlers) {
    switch step {
    case .registrationHandler:
      handlers.registration?.body()
      handlers.demand?.registered()
    case .eventHandler(let noted): deliver(noted, handlers)
    case .rearm: producer.rearm(for: self)
    case .endOfSequence: handlers.demand?.ended()
    case .cancelHandler:
      let demand = handlers.demand
      handlers.cancel?.body()
      // A loop that waits for the cancellation finds the handlers released.
      _ = consume handlers
      demand?.cancelled()
    case .disposal:
      // Captured objects may use the context, which the finalizer frees.
      _ = consume handlers
      state.withLock { $0.context.disposal }?()
    }
  }

  private func deliver(_ noted: UInt, _ handlers: SourceHandlers) {
    if !handlers.receiveEvents {
      producer.discard(noted)
    } else if let event = producer.latch(noted) {
      current.store(event, ordering: .relaxed)
      if let demand = handlers.demand { demand.received(event) } else { handlers.event?.body() }
      current.store(0, ordering: .relaxed)
    }
    // The step ends afterwards, so that the cancel handler follows the request to the kernel.
    let rearms = state.withLock { state in
      state.life.finishEvent(hasHandler: state.handlers.receiveEvents)
    }
    if rearms { producer.rearm(for: self) }
  }
}

/// The next step of a source that has received an event, if none was submitted before.
struct SourceDelivery: Sendable {
  private let core: SourceCore
  private let submission: SourceCore.Submission?

  init(_ core: SourceCore, _ submission: SourceCore.Submission?) {
    self.core = core
    self.submission = submission
  }

  func submit() {
    if let submission { core.submit(submission) }
  }
}
