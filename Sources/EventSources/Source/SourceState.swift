/// The life of a source and the data that its handler has not received.
///
/// A source is activated once, registered with the kernel, and released when it is cancelled or its
/// last reference is dropped. One delivery at most is submitted at a time: data that arrive
/// meanwhile are merged and become the next one (S180).
struct SourceState: Equatable, Sendable {
  /// The steps that a transition asks of the source, performed in the order of their bits.
  struct Actions: OptionSet, Sendable {
    let rawValue: UInt8

    /// Registers the source with the kernel.
    static let register = Actions(rawValue: 1)
    /// Ends the registration.
    static let release = Actions(rawValue: 2)
    /// Asks the kernel for the next event.
    static let rearm = Actions(rawValue: 4)
    static let submitRegistrationHandler = Actions(rawValue: 8)
    static let submitDelivery = Actions(rawValue: 16)
    static let submitCancelHandler = Actions(rawValue: 32)
    /// Drops the handlers of a source without references, on its queue.
    static let submitDisposal = Actions(rawValue: 64)
  }

  private enum Phase: Equatable {
    case inactive
    case registering
    case registered
    case releasing
    case released
  }

  private let accumulation: Accumulation
  private var phase = Phase.inactive
  private var pending: UInt = 0
  private var isDeliverySubmitted = false
  private var isRegistrationHandlerSubmitted = false
  /// Whether an event was consumed without a handler, so that the kernel is not asked again.
  private var awaitsHandler = false
  private var isAbandoned = false

  /// Whether `cancel` was called.
  private(set) var isCancelled = false
  /// The error that kept the source from being registered.
  private(set) var registrationError: Errno?

  init(_ accumulation: Accumulation) { self.accumulation = accumulation }

  /// Whether the source was activated.
  var isActive: Bool { phase != .inactive }

  private var isEnding: Bool { isCancelled || isAbandoned }

  // MARK: - Registration

  /// Begins the registration, or ends the life of a source that was cancelled before.
  mutating func activate() -> Actions {
    guard phase == .inactive else { return [] }
    phase = isCancelled ? .released : .registering
    return isCancelled ? .submitCancelHandler : .register
  }

  /// Notes the end of the registration.
  ///
  /// - Parameters:
  ///   - error: The reason for which no events will arrive.
  ///   - hasHandler: Whether there is a registration handler.
  mutating func registered(_ error: Errno?, hasHandler: Bool) -> Actions {
    registrationError = error
    phase = isEnding ? .releasing : .registered
    if isEnding { return .release }
    isRegistrationHandlerSubmitted = hasHandler
    return submitDelivery().union(hasHandler ? .submitRegistrationHandler : [])
  }

  /// Notes that another registration handler was set.
  mutating func registrationHandlerChanged() -> Actions {
    guard phase == .registered, !isRegistrationHandlerSubmitted else { return [] }
    isRegistrationHandlerSubmitted = true
    return .submitRegistrationHandler
  }

  /// Notes that the registration handler is about to run.
  ///
  /// - Returns: False after a cancellation, which it must not follow.
  mutating func takeRegistrationHandler() -> Bool {
    isRegistrationHandlerSubmitted = false
    return !isEnding
  }

  // MARK: - Events

  /// Merges the data of an event.
  mutating func noted(_ data: UInt) -> Actions {
    if isEnding { return [] }
    pending = accumulation.merging(pending, data)
    return submitDelivery()
  }

  /// Takes the merged data, nil if the event handler must not run.
  mutating func latch() -> UInt? {
    defer { pending = 0 }
    return isEnding || pending == 0 ? nil : pending
  }

  /// Notes the end of a delivery.
  ///
  /// - Parameter hadHandler: False if the event was consumed without a handler.
  mutating func returned(hadHandler: Bool) -> Actions {
    isDeliverySubmitted = false
    if isEnding { return [] }
    awaitsHandler = !hadHandler
    return hadHandler ? submitDelivery().union(.rearm) : submitDelivery()
  }

  /// Notes that another event handler was set.
  mutating func eventHandlerChanged() -> Actions {
    guard awaitsHandler, !isEnding, !isDeliverySubmitted else { return [] }
    awaitsHandler = false
    return .rearm
  }

  private mutating func submitDelivery() -> Actions {
    guard phase == .registered, pending != 0, !isDeliverySubmitted else { return [] }
    isDeliverySubmitted = true
    return .submitDelivery
  }

  // MARK: - End

  /// Ends all deliveries but a running one.
  mutating func cancel() -> Actions {
    if isCancelled { return [] }
    isCancelled = true
    return end()
  }

  /// Notes that the last reference to the source was dropped.
  ///
  /// - Returns: A disposal in any case. The cancel handler runs before it, if the source was
  ///   cancelled.
  mutating func abandon() -> Actions {
    let wasEnding = isEnding
    isAbandoned = true
    if phase == .released { return .submitDisposal }
    return wasEnding ? [] : end()
  }

  /// Notes that the kernel has released the source's descriptor.
  mutating func released() -> Actions {
    phase = .released
    var actions: Actions = isCancelled ? .submitCancelHandler : []
    if isAbandoned { actions.insert(.submitDisposal) }
    return actions
  }

  private mutating func end() -> Actions {
    pending = 0
    guard phase == .registered else { return [] }
    phase = .releasing
    return .release
  }
}
