internal import Synchronization

/// The storage of a source: its state, handlers and queue.
///
/// A serial queue of its own, whose target is the queue of the program, runs the handlers. So the
/// order, suspension and target of handlers are those of a queue. The core outlives the source while
/// a delivery, the registration or the cancellation is pending.
package final class SourceCore: Sendable {
  private struct State: Sendable {
    var life: SourceState
    var handlers = SourceHandlers()
  }

  /// The queue on which the handlers run.
  let queue: WorkQueue
  let producer: any EventProducer
  private let state: BargingLock<State>
  /// The data of the running call of the event handler, 0 outside of it.
  private let current = Atomic<UInt>(0)
  private let generation = ProcessGeneration.current
  private let hasSequence = Atomic<Bool>(false)
  let context = RareState(ObjectContext())

  /// Creates an inactive source.
  ///
  /// - Parameters:
  ///   - target: The queue of the handlers, nil for the default global one.
  ///   - accumulation: The rule by which events are merged.
  ///   - producer: The part that reports events, nil if only the program does.
  package init(
    target: WorkQueue?,
    merging accumulation: Accumulation,
    producer: (any EventProducer)? = nil
  ) {
    queue = WorkQueue(handlersTargeting: target ?? .global())
    self.producer = producer ?? NoProducer.shared
    state = BargingLock(State(life: SourceState(accumulation)))
  }

  /// The data of the running call of the event handler, 0 outside of it.
  package var data: UInt { current.load(ordering: .relaxed) }

  /// A Boolean value that indicates whether the source was cancelled.
  var isCancelled: Bool { state.withLock { $0.life.isCancelled } }

  /// The error that kept the source from being registered.
  var registrationError: Errno? { state.withLock { $0.life.registrationError } }

  /// Claims the events of the source for a sequence; false if another one has them.
  func claimSequence() -> Bool { !hasSequence.exchange(true, ordering: .relaxed) }

  /// Whether this is the process that created the source, and not a child of a fork.
  package var isOfThisProcess: Bool { generation == ProcessGeneration.current }
}

// MARK: - Life

extension SourceCore {
  /// Lets events arrive; does nothing if the source is active.
  func activate() {
    checkProcess()
    change { $0.activate() }
  }

  /// Takes one suspension back, or activates an inactive source.
  func resume() {
    checkProcess()
    if !queue.isSuspended && !state.withLock({ $0.life.isActive }) { return activate() }
    queue.resume()
  }

  /// Ends all events; the cancel handler runs once the kernel has released the descriptor.
  package func cancel() {
    guard isOfThisProcess else { return }
    change { $0.cancel() }
  }

  /// Ends a source without references.
  func abandon() {
    guard isOfThisProcess else { return }
    let (isActive, actions) = state.withLock { ($0.life.isActive, $0.life.abandon()) }
    requireUse(
      isActive && !queue.isSuspended,
      "An event source is not released while it is inactive or suspended.",
      "S182"
    )
    perform(actions)
  }

  /// Stops the program in a child of a fork.
  func checkProcess() {
    requireUse(
      isOfThisProcess,
      "A child of a fork cannot use the event sources of its parent.",
      "S109"
    )
  }
}

// MARK: - Calls of producers

extension SourceCore {
  /// Reports the end of the registration, with the error that made it fail.
  package func registered(_ error: Errno?) {
    let actions = state.withLock { state in
      state.life.registered(error, hasHandler: state.handlers.registration != nil)
    }
    perform(actions)
  }

  /// Reports an event; data of 0 changes nothing unless the latest value counts.
  package func noted(_ data: UInt) { change { $0.noted(data) } }

  /// Reports that the kernel has released the descriptor.
  package func released() { change { $0.released() } }
}

// MARK: - Handlers

extension SourceCore {
  func setEventHandler(_ handler: SourceHandler?) {
    replace(\.event, with: handler) { handler == nil ? [] : $0.eventHandlerChanged() }
  }

  func setCancelHandler(_ handler: SourceHandler?) {
    replace(\.cancel, with: handler) { _ in [] }
  }

  func setRegistrationHandler(_ handler: SourceHandler?) {
    replace(\.registration, with: handler) {
      handler == nil ? [] : $0.registrationHandlerChanged()
    }
  }

  private func replace(
    _ handler: any WritableKeyPath<SourceHandlers, SourceHandler?> & Sendable,
    with new: SourceHandler?,
    _ transition: (inout SourceState) -> SourceState.Actions
  ) {
    // The old handler is released outside of the lock, for it may hold the source.
    let (old, actions) = state.withLock { state in
      let old = state.handlers[keyPath: handler]
      state.handlers[keyPath: handler] = new
      return (old, transition(&state.life))
    }
    withExtendedLifetime(old) { perform(actions) }
  }
}

// MARK: - Actions

extension SourceCore {
  @inline(__always)
  private func change(_ transition: (inout SourceState) -> SourceState.Actions) {
    let actions = state.withLock { transition(&$0.life) }
    if !actions.isEmpty { perform(actions) }
  }

  @inline(never)
  private func perform(_ actions: SourceState.Actions) {
    if actions.contains(.register) { producer.start(for: self) }
    if actions.contains(.release) { producer.stop(for: self) }
    if actions.contains(.rearm) { producer.rearm(for: self) }
    if actions.contains(.submitRegistrationHandler) {
      submit(state.withLock { $0.handlers.registration }) { $0.runRegistrationHandler() }
    }
    if actions.contains(.submitDelivery) {
      submit(state.withLock { $0.handlers.event }) { $0.deliver() }
    }
    if actions.contains(.submitCancelHandler) {
      submit(state.withLock { $0.handlers.cancel }) { $0.runCancelHandler() }
    }
    if actions.contains(.submitDisposal) { submit(nil) { $0.dispose() } }
  }

  /// Submits a step with the quality of service of a handler, which may be replaced until it runs.
  private func submit(_ handler: SourceHandler?, _ step: @escaping @Sendable (SourceCore) -> Void) {
    if let handler, handler.qos != .unspecified {
      queue.deliver(qos: handler.qos, flags: handler.flags) { step(self) }
    } else {
      queue.deliver { step(self) }
    }
  }

  private func runRegistrationHandler() {
    let handler = state.withLock { state in
      state.life.takeRegistrationHandler() ? state.handlers.registration.take() : nil
    }
    handler?.body()
  }

  private func deliver() {
    let (noted, handler) = state.withLock { ($0.life.latch(), $0.handlers.event) }
    let event = noted.flatMap { producer.latch($0) }
    if let event, let handler {
      current.store(event, ordering: .relaxed)
      handler.body()
      current.store(0, ordering: .relaxed)
    }
    change { $0.returned(hadHandler: handler != nil) }
  }

  private func runCancelHandler() {
    state.withLock { $0.handlers.cancel }?.body()
    dropHandlers()
  }

  private func dispose() {
    dropHandlers()
    context.look { $0.disposal }?()
  }

  private func dropHandlers() {
    let dropped = state.withLock { state in
      defer { state.handlers = SourceHandlers() }
      return state.handlers
    }
    withExtendedLifetime(dropped) {}
  }
}
