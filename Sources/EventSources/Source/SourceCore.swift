internal import Synchronization

/// The storage of a source: its state, handlers and target queue.
///
/// The source's queue runs one step of the source at a time. The core outlives the source while a
/// step, the registration or the release is pending.
package final class SourceCore: Sendable {
  struct State: Sendable {
    var life: SourceState
    var handlers = SourceHandlers()
    var target: WorkQueue

    /// The next step, with the handler whose quality of service it has.
    fileprivate var submission: Submission {
      let handler: SourceHandler? =
        switch life.nextStep {
        case .registrationHandler: handlers.registration
        case .eventHandler: handlers.event
        case .cancelHandler: handlers.cancel
        case .disposal, nil: nil
        }
      return Submission(queue: target, handler: handler)
    }
  }

  /// A step on its way to the source's queue.
  fileprivate struct Submission: Sendable {
    let queue: WorkQueue
    let handler: SourceHandler?
  }

  let producer: any EventProducer
  let state: BargingLock<State>
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
    self.producer = producer ?? NoProducer.shared
    state = BargingLock(State(life: SourceState(accumulation), target: target ?? .global()))
  }

  /// The data of the running call of the event handler, 0 outside of it.
  package var data: UInt { current.load(ordering: .relaxed) }

  /// A Boolean value that indicates whether the source was cancelled.
  package var isCancelled: Bool { state.withLock { $0.life.isCancelled } }

  /// The error that kept the source from being registered.
  package var registrationError: Errno? { state.withLock { $0.life.registrationError } }

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

  /// Keeps further steps from starting.
  func suspend() {
    checkProcess()
    state.withLock { $0.life.suspend() }
  }

  /// Takes one suspension back, or activates an inactive source.
  func resume() {
    checkProcess()
    change { $0.resume() }
  }

  /// Sets the queue on which later steps run.
  func setTarget(_ queue: WorkQueue) {
    // The old queue is released outside of the lock.
    let old = state.withLock { state in
      defer { state.target = queue }
      return state.target
    }
    withExtendedLifetime(old) {}
  }

  /// Ends all events; the cancel handler runs once the kernel has released the descriptor.
  package func cancel() {
    guard isOfThisProcess else { return }
    change { $0.cancel() }
  }

  /// Ends a source without references.
  func abandon() {
    guard isOfThisProcess else { return }
    let mayEnd = state.withLock { $0.life.isActive && !$0.life.isSuspended }
    requireUse(
      mayEnd,
      "An event source is not released while it is inactive or suspended.",
      "S182"
    )
    change { $0.abandon() }
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
    change { life, handlers in
      life.registered(error, hasHandler: handlers.registration != nil)
    }
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

  var cancelHandler: SourceHandler? { state.withLock { $0.handlers.cancel } }

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
    let old = state.withLock { state in
      defer { state.handlers[keyPath: handler] = new }
      return state.handlers[keyPath: handler]
    }
    withExtendedLifetime(old) { change(transition) }
  }
}

// MARK: - Actions

extension SourceCore {
  @inline(__always)
  private func change(_ transition: (inout SourceState) -> SourceState.Actions) {
    change { life, _ in transition(&life) }
  }

  @inline(__always)
  private func change(
    _ transition: (inout SourceState, SourceHandlers) -> SourceState.Actions
  ) {
    let (actions, submission) = state.withLock { state in
      let actions = transition(&state.life, state.handlers)
      return (actions, actions.contains(.submit) ? state.submission : nil)
    }
    if !actions.isEmpty { perform(actions, submission) }
  }

  @inline(never)
  private func perform(_ actions: SourceState.Actions, _ submission: Submission?) {
    if actions.contains(.register) { producer.start(for: self) }
    if actions.contains(.release) { producer.stop(for: self) }
    if actions.contains(.rearm) { producer.rearm(for: self) }
    guard let submission else { return }
    if let handler = submission.handler, handler.qos != .unspecified {
      submission.queue.deliver(qos: handler.qos, flags: handler.flags) { self.runStep() }
    } else {
      submission.queue.deliver { self.runStep() }
    }
  }

  /// Runs one step, so that other work of the queue comes between two of them.
  private func runStep() {
    let (step, handlers) = state.withLock { ($0.life.beginStep(), $0.handlers) }
    guard let step else { return }
    switch step {
    case .registrationHandler:
      state.withLock { $0.handlers.registration = nil }
      handlers.registration?.body()
    case .eventHandler(let noted):
      deliver(noted, to: handlers.event)
    case .cancelHandler:
      handlers.cancel?.body()
      dropHandlers()
    case .disposal:
      dropHandlers()
      context.look { $0.disposal }?()
    }
    change { $0.finishStep(step, hadHandler: handlers.event != nil) }
  }

  private func deliver(_ noted: UInt, to handler: SourceHandler?) {
    guard let event = producer.latch(noted), let handler else { return }
    current.store(event, ordering: .relaxed)
    handler.body()
    current.store(0, ordering: .relaxed)
  }

  private func dropHandlers() {
    let dropped = state.withLock { state in
      defer { state.handlers = SourceHandlers() }
      return state.handlers
    }
    withExtendedLifetime(dropped) {}
  }
}
