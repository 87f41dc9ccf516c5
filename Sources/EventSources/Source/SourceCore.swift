internal import Synchronization
internal import IOChannelsLocks

/// The storage of a source: its state, handlers and target queue.
///
/// The source's queue runs one step of the source at a time. The core outlives the source while a
/// step, the registration or the release is pending.
package final class SourceCore: Sendable {
  struct State: Sendable {
    var life: SourceState
    var handlers = SourceHandlers()
    var target: WorkQueue
    var context = ObjectContext()
    /// The context at the activation, with which C programs expect their event handlers.
    var contextOfEvents: ObjectContext?

    /// The next step, with the quality of service of its handler.
    var submission: Submission {
      let handler: SourceHandler? =
        switch life.nextStep {
        case .registrationHandler: handlers.registration
        case .eventHandler: handlers.event
        case .cancelHandler: handlers.cancel
        case .rearm, .endOfSequence, .disposal, nil: nil
        }
      return Submission(
        queue: target,
        qos: handler?.qos ?? .unspecified,
        flags: handler?.flags ?? [],
        isCancelHandler: life.nextStep == .cancelHandler
      )
    }

    /// Takes the step that runs now on a queue.
    mutating func begin(on queue: WorkQueue) -> Beginning {
      // An event that was queued before the target changed runs on the old queue.
      if let next = life.nextStep, !next.isEvent, target !== queue {
        return .elsewhere(submission)
      }
      guard let step = life.beginStep() else { return .nothing }
      var taken = SourceHandlers()
      switch step {
      // All handlers are released after the step.
      case .cancelHandler, .disposal: swap(&taken, &handlers)
      case .registrationHandler:
        taken = handlers
        handlers.registration = nil
      case .eventHandler, .rearm, .endOfSequence:
        taken = handlers
        taken.registration = nil
      }
      return .step(step, taken)
    }
  }

  /// A step on its way to the source's queue.
  ///
  /// It does not keep the handler, which must not be released on the thread that reports an event.
  struct Submission: Sendable {
    let queue: WorkQueue
    let qos: WorkQueue.QoS
    let flags: WorkItem.Flags
    let isCancelHandler: Bool
  }

  enum Beginning: Sendable {
    case nothing
    case elsewhere(Submission)
    case step(SourceState.Step, SourceHandlers)
  }

  let producer: any EventProducer
  let state: BargingLock<State>
  /// The data of the running call of the event handler, 0 outside of it.
  let current = Atomic<UInt>(0)
  private let generation = ProcessGeneration.current
  private let hasSequence = Atomic<Bool>(false)

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
  package var registrationError: SystemError? { state.withLock { $0.life.registrationError } }

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
    changeAndKeepContext { $0.activate() }
  }

  /// Keeps further steps from starting.
  func suspend() {
    checkProcess()
    state.withLock { $0.life.suspend() }
  }

  /// Takes one suspension back, or activates an inactive source.
  func resume() {
    checkProcess()
    changeAndKeepContext { $0.resume() }
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

  /// Ends all events and keeps the source until the cancel handler has returned, for a program that
  /// releases it now and uses it in that handler.
  package func cancel(keeping source: EventSource) {
    guard isOfThisProcess else { return }
    state.withLock { state in
      // An inactive source stays without a cancel handler that would end the reference.
      if state.life.isActive, !state.life.isCancelled { state.handlers.owner = source }
    }
    change { $0.cancel() }
  }

  /// Keeps a source that was cancelled while it was inactive, before its activation.
  package func keepIfCancelled(_ source: EventSource) {
    state.withLock { state in
      if !state.life.isActive, state.life.isCancelled { state.handlers.owner = source }
    }
  }

  /// Ends a source, whether it is active or not.
  func cancelAndActivate() {
    guard isOfThisProcess else { return }
    change { $0.cancel() }
    change { $0.activate() }
  }

  /// Ends a source without references.
  func abandon() {
    guard isOfThisProcess else { return }
    let mayEnd = changeState { state -> (Bool, SourceState.Actions) in
      guard state.life.isActive, !state.life.isSuspended else { return (false, []) }
      return (true, state.life.abandon(hasFinalizer: state.context.disposal != nil))
    }
    requireUse(
      mayEnd,
      "An event source is not released while it is inactive or suspended.",
      "S182"
    )
  }

  /// Stops the program in a child of a fork.
  @inline(__always)
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
  package func registered(_ error: SystemError?) {
    change { life, handlers in
      life.registered(error, hasHandler: handlers.awaitRegistration)
    }
  }

  /// Reports an event; data of 0 changes nothing unless the latest value counts.
  package func noted(_ data: UInt) { change { $0.noted(data) } }

  /// Merges data of the program.
  package func merge(_ data: UInt) {
    checkProcess()
    change { $0.noted(data) }
  }

  /// Merges an event unless the source was cancelled or dropped.
  ///
  /// - Returns: The delivery, which the caller submits without a lock, or nil if the event does not
  ///   count.
  func receive(_ data: UInt) -> SourceDelivery? {
    state.withLock { state in
      if state.life.isEnding { return nil }
      let actions = state.life.noted(data)
      return SourceDelivery(self, actions.contains(.submit) ? state.submission : nil)
    }
  }

  /// Reports that no event follows, so that a sequence of the source ends.
  ///
  /// A producer whose last event is latched reports that by `isOver`.
  package func ended() {
    change { life, handlers in life.ended(hasSequence: handlers.demand != nil) }
  }

  /// Reports that the kernel has released the descriptor.
  package func released() { change { $0.released() } }
}

// MARK: - Handlers

extension SourceCore {
  func setEventHandler(_ handler: SourceHandler?) {
    replace({ swap(&$0.event, &$1) }, with: handler) {
      handler == nil ? [] : $0.eventHandlerChanged()
    }
  }

  func setCancelHandler(_ handler: SourceHandler?) {
    replace({ swap(&$0.cancel, &$1) }, with: handler) { _ in [] }
  }

  func setRegistrationHandler(_ handler: SourceHandler?) {
    replace({ swap(&$0.registration, &$1) }, with: handler) {
      handler == nil ? [] : $0.registrationHandlerChanged()
    }
  }

  private func replace(
    _ exchange: (inout SourceHandlers, inout SourceHandler?) -> Void,
    with new: SourceHandler?,
    _ transition: (inout SourceState) -> SourceState.Actions
  ) {
    guard isOfThisProcess else { return }
    // The old handler is released outside of the lock, for it may hold the source. After the cancel
    // handler the new one is.
    let old = state.withLock { state in
      var handler = new
      if !state.life.hasBegunCancelHandler { exchange(&state.handlers, &handler) }
      return handler
    }
    withExtendedLifetime(old) { change(transition) }
  }

  /// Gives the events of the source to a sequence.
  ///
  /// - Returns: False if the source has ended already.
  func setDemand(_ demand: EventDemand) -> Bool {
    let isSet = state.withLock { state in
      if state.life.hasBegunCancelHandler { return false }
      state.handlers.demand = demand
      return true
    }
    if isSet { change { $0.sequenceBegan() } }
    return isSet
  }
}

// MARK: - Actions

extension SourceCore {
  @inline(__always)
  private func change(_ transition: (inout SourceState) -> SourceState.Actions) {
    change { life, _ in transition(&life) }
  }

  /// Changes the state, and stores the context of a source that is inactive before.
  private func changeAndKeepContext(
    _ transition: (inout SourceState) -> SourceState.Actions
  ) {
    changeState { state in
      if !state.life.isActive { state.contextOfEvents = state.context }
      return ((), transition(&state.life))
    }
  }

  @inline(__always)
  private func change(
    _ transition: (inout SourceState, SourceHandlers) -> SourceState.Actions
  ) {
    changeState { ((), transition(&$0.life, $0.handlers)) }
  }

  /// Changes the state and then performs the requests of the change.
  @inline(__always)
  private func changeState<Result>(
    _ transition: (inout State) -> (Result, SourceState.Actions)
  ) -> Result {
    let (result, actions, submission) = state.withLock { state in
      let (result, actions) = transition(&state)
      return (result, actions, actions.contains(.submit) ? state.submission : nil)
    }
    if !actions.isEmpty { perform(actions, submission) }
    return result
  }

  @inline(never)
  private func perform(_ actions: SourceState.Actions, _ submission: Submission?) {
    if actions.contains(.register) { producer.start(for: self) }
    if actions.contains(.release) { producer.stop(for: self) }
    if let submission { submit(submission) }
  }
}
