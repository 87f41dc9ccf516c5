/// The life of a source and the steps that its queue has not run.
///
/// A source is activated once, registered with the kernel, and released when it is cancelled or its
/// last reference is dropped. Its queue runs one step at a time: a handler, or the disposal of a
/// source without references. A step is submitted when it is due and none is submitted. So the
/// event handler never overlaps itself, and data that arrive meanwhile are merged (S180).
struct SourceState: Equatable, Sendable {
  /// The requests of a transition to the source, performed in the order of the bits.
  struct Actions: OptionSet, Sendable {
    let rawValue: UInt8

    /// Registers the source with the kernel.
    static let register = Actions(rawValue: 1)
    /// The end of the registration.
    static let release = Actions(rawValue: 2)
    /// Submits the next step to the source's queue.
    static let submit = Actions(rawValue: 4)
  }

  /// A step that the source's queue runs.
  enum Step: Equatable, Sendable {
    case registrationHandler
    /// The event handler, with the merged data.
    case eventHandler(UInt)
    /// Asks the kernel for the next event, where an event was consumed without a handler.
    case rearm
    case cancelHandler
    /// Ends the sequence of a source that has had its last event.
    case endOfSequence
    /// Drops the handlers of a source without references, and runs its finalizer.
    case disposal

    var isEvent: Bool { if case .eventHandler = self { true } else { false } }
  }

  private enum Phase: String, Equatable {
    case inactive
    case registering
    case registered
    case releasing
    case released
  }

  /// The most suspensions at once.
  static let suspensionLimit: UInt32 = .max

  private let accumulation: Accumulation
  private var phase = Phase.inactive
  private var suspensions: UInt32 = 0
  private var pending: UInt = 0
  /// Whether a step is submitted or runs.
  private var isSubmitted = false
  private var isRegistrationHandlerDue = false
  private var isCancelHandlerDue = false
  private var isDisposalDue = false
  private var isRearmDue = false
  /// Whether no event follows those that are pending.
  private var hasEnded = false
  private var isEndOfSequenceDue = false
  /// Whether an event was consumed without a handler, so that the kernel is not asked again.
  private(set) var awaitsHandler = false
  private var isAbandoned = false
  /// Whether a disposal has more to do than to drop the handlers.
  private var hasFinalizer = true

  /// Whether `cancel` was called.
  private(set) var isCancelled = false
  /// Whether the cancel handler was called, after which no handler is called.
  private(set) var hasBegunCancelHandler = false
  /// The error that kept the source from being registered.
  private(set) var registrationError: SystemError?

  init(_ accumulation: Accumulation) { self.accumulation = accumulation }

  /// Whether the source was activated.
  var isActive: Bool { phase != .inactive }

  /// The state in one word, for debugging.
  var name: String { isCancelled ? "cancelled" : phase.rawValue }

  /// Whether the source was suspended more often than resumed.
  var isSuspended: Bool { suspensions > 0 }

  /// Whether the source was cancelled or dropped.
  var isEnding: Bool { isCancelled || isAbandoned }
}

// MARK: - Life

extension SourceState {
  /// Begins the registration, or the release of a source that was cancelled before.
  mutating func activate() -> Actions {
    guard phase == .inactive else { return [] }
    phase = isCancelled ? .releasing : .registering
    return isCancelled ? .release : .register
  }

  mutating func suspend() {
    requireUse(
      suspensions < Self.suspensionLimit,
      "An event source has at most 4294967295 suspensions.",
      "S180"
    )
    suspensions += 1
  }

  /// Takes one suspension back, or activates an inactive source.
  mutating func resume() -> Actions {
    if suspensions == 0 && !isActive { return activate() }
    requireUse(
      suspensions > 0,
      "An event source is resumed once for each time it was suspended.",
      "S180"
    )
    suspensions -= 1
    return submission()
  }

  /// Ends all events but a running one.
  mutating func cancel() -> Actions {
    if isCancelled { return [] }
    isCancelled = true
    return end()
  }

  /// Notes that the last reference to the source was dropped.
  ///
  /// The cancel handler runs before the disposal, if the source was cancelled. It drops the
  /// handlers, so that no disposal follows unless there is a finalizer.
  mutating func abandon(hasFinalizer: Bool) -> Actions {
    let wasEnding = isEnding
    isAbandoned = true
    self.hasFinalizer = hasFinalizer
    if phase == .released {
      isDisposalDue = hasFinalizer || !hasBegunCancelHandler
      return submission()
    }
    return wasEnding ? [] : end()
  }

  private mutating func end() -> Actions {
    pending = 0
    guard phase == .registered else { return [] }
    phase = .releasing
    return .release
  }
}

// MARK: - Answers of the producer

extension SourceState {
  /// Notes the end of the registration.
  ///
  /// - Parameters:
  ///   - error: The reason for which no events will arrive.
  ///   - hasHandler: Whether there is a registration handler.
  /// - Returns: The release of a source that has ended meanwhile, else the next step.
  mutating func registered(_ error: SystemError?, hasHandler: Bool) -> Actions {
    registrationError = error
    phase = isEnding ? .releasing : .registered
    if isEnding { return .release }
    isRegistrationHandlerDue = hasHandler
    return submission()
  }

  /// Merges the data of an event.
  mutating func noted(_ data: UInt) -> Actions {
    if isEnding { return [] }
    pending = accumulation.merging(pending, data)
    return submission()
  }

  /// Notes that no event follows those that are pending.
  mutating func ended(hasSequence: Bool) -> Actions {
    hasEnded = true
    return hasSequence ? endOfSequence() : []
  }

  /// Notes that the kernel has released the source's descriptor.
  mutating func released() -> Actions {
    phase = .released
    isCancelHandlerDue = isCancelled
    isDisposalDue = isAbandoned
    return submission()
  }
}

// MARK: - Handlers

extension SourceState {
  /// Notes that another registration handler was set.
  mutating func registrationHandlerChanged() -> Actions {
    guard phase == .registered else { return [] }
    isRegistrationHandlerDue = true
    return submission()
  }

  /// Notes that another event handler was set.
  mutating func eventHandlerChanged() -> Actions {
    guard awaitsHandler, !isEnding else { return [] }
    awaitsHandler = false
    isRearmDue = true
    return submission()
  }

  /// Notes that a sequence has the events.
  mutating func sequenceBegan() -> Actions {
    registrationHandlerChanged().union(eventHandlerChanged()).union(endOfSequence())
  }

  private mutating func endOfSequence() -> Actions {
    guard hasEnded, !isEnding else { return [] }
    isEndOfSequenceDue = true
    return submission()
  }
}

// MARK: - Steps

extension SourceState {
  /// The step that the source's queue runs next, nil if none is due or the source is suspended.
  var nextStep: Step? {
    if suspensions > 0 { return nil }
    if isRegistrationHandlerDue && !isEnding { return .registrationHandler }
    if phase == .registered && pending != 0 && !isEnding { return .eventHandler(pending) }
    if isRearmDue && !isEnding { return .rearm }
    if phase == .registered && isEndOfSequenceDue && !isEnding { return .endOfSequence }
    if isCancelHandlerDue { return .cancelHandler }
    return isDisposalDue ? .disposal : nil
  }

  /// Takes the step that runs now, in place of the one that was submitted.
  mutating func beginStep() -> Step? {
    let step = nextStep
    switch step {
    case .registrationHandler: isRegistrationHandlerDue = false
    case .eventHandler: pending = 0
    case .rearm: isRearmDue = false
    case .endOfSequence: isEndOfSequenceDue = false
    case .cancelHandler:
      isCancelHandlerDue = false
      hasBegunCancelHandler = true
      isDisposalDue = isDisposalDue && hasFinalizer
    case .disposal: isDisposalDue = false
    case nil: isSubmitted = false
    }
    return step
  }

  /// Notes that an event was delivered, or consumed without a handler.
  ///
  /// - Parameter hasHandler: Whether there is an event handler.
  /// - Returns: Whether the kernel is asked for the next event, before the step ends.
  mutating func finishEvent(hasHandler: Bool) -> Bool {
    if isEnding { return false }
    awaitsHandler = !hasHandler
    return hasHandler
  }

  /// Notes the end of a step.
  mutating func finishStep() -> Actions {
    isSubmitted = false
    return submission()
  }

  private mutating func submission() -> Actions {
    if isSubmitted || nextStep == nil { return [] }
    isSubmitted = true
    return .submit
  }
}
