internal import IOChannelsLocks

/// A producer that waits until a descriptor can be read or written.
final class DescriptorProducer: EventProducer, ReadinessReceiver {
  private enum Registration: Sendable {
    case none
    case listed(ReadinessList, ReadinessToken)
    /// The descriptor never blocks.
    case alwaysReady
  }

  private struct State: Sendable {
    var core: SourceCore?
    var registration = Registration.none
    var observer: DescriptorObserver?
    /// Whether the last call of the handler has been made.
    var isOver = false
    /// Whether the last call of the handler has reported an error of a socket and nothing else.
    var hasReportedError = false
    /// Whether the list reports changes of the descriptor, and not its state.
    var awaitsChanges = false
    /// Whether the number names another file than that of the registration.
    var isLost = false
    /// The wait for more bytes at the end of a regular file.
    var growth: FileGrowth?

    var hasNoMoreEvents: Bool { isOver && observer?.mayGrow != true }
  }

  private let descriptor: BorrowedDescriptor
  private let direction: TransferDirection
  private let state = BargingLock(State())

  /// The owner of the descriptor, if the source keeps it open.
  private let owner: (any AnyObject & Sendable)?
  private let sharedList: @Sendable () throws(SystemError) -> ReadinessList

  init(
    _ descriptor: BorrowedDescriptor,
    _ direction: TransferDirection,
    keeping owner: (any AnyObject & Sendable)? = nil,
    list: @escaping @Sendable () throws(SystemError) -> ReadinessList = SharedReadinessList.get
  ) {
    self.descriptor = descriptor
    self.direction = direction
    self.owner = owner
    sharedList = list
  }

  func start(for core: SourceCore) {
    // Events may arrive before `register` returns.
    state.withLock { $0.core = core }
    do throws(SystemError) {
      let registration = try register()
      started(registration)
      core.registered(nil)
      if case .alwaysReady = registration { core.noted(1) }
    } catch {
      core.registered(error)
    }
  }

  private func register() throws(SystemError) -> Registration {
    let list = try sharedList()
    do throws(SystemError) {
      return .listed(list, try list.register(descriptor.rawValue, for: direction.events, self))
    } catch {
      if error == .notPermitted { return .alwaysReady }
      throw error
    }
  }

  private func started(_ registration: Registration) {
    let isAlwaysReady = if case .alwaysReady = registration { true } else { false }
    let observer = DescriptorObserver(descriptor, direction, isAlwaysReady: isAlwaysReady)
    state.withLock { state in
      state.registration = registration
      state.observer = observer
    }
  }

  func ready(_ states: ReadinessEvents) {
    state.withLock { $0.core }?.noted(1)
  }

  func latch(_ noted: UInt) -> UInt? {
    // Changes may be reported after the end.
    guard let observer = state.withLock({ $0.hasNoMoreEvents ? nil : $0.observer }) else {
      return nil
    }
    let report = observer.report()
    state.withLock { state in
      state.isOver = report?.isLast == true
      state.hasReportedError = report?.isErrorAlone == true
      // A file that is always ready has a report.
      if report == nil, case .alwaysReady = state.registration { state.isLost = true }
    }
    return report?.data
  }

  // The state of the descriptor stays: it is reported again once there is a handler.
  func discard(_ noted: UInt) {
    state.withLock { state in
      state.hasReportedError = false
      state.awaitsChanges = false
    }
  }

  var isOver: Bool { state.withLock { $0.hasNoMoreEvents } }

  func rearm(for core: SourceCore) {
    let (registration, isOver, isLost, isUnused) = state.withLock { state in
      // Later errors would still wake the thread of the list.
      let isUnused = state.isOver && state.awaitsChanges
      defer { if isUnused { state.registration = .none } }
      return (state.registration, state.isOver, state.isLost, isUnused)
    }
    if isLost { return }
    if isUnused, case .listed(let list, let token) = registration { list.remove(token) }
    if isOver { return awaitGrowth(for: core) }
    switch registration {
    case .listed(let list, let token): awaitEvent(on: list, token, for: core)
    case .alwaysReady: core.noted(1)
    case .none: break
    }
  }

  /// Waits for the next event of a descriptor that may block.
  ///
  /// The kernel's list reports an error of a socket as long as it lasts, as that of a message in
  /// the error queue, whatever it is asked for. So if the handler leaves an error, the producer
  /// waits for changes of the descriptor until the error has gone (S187).
  private func awaitEvent(on list: ReadinessList, _ token: ReadinessToken, for core: SourceCore) {
    let (observer, awaitsChanges) = state.withLock { state in
      (state.hasReportedError || state.awaitsChanges ? state.observer : nil, state.awaitsChanges)
    }
    let report = observer?.report()
    if awaitsChanges, let report {
      // The list reports later changes by itself. It also reports bytes that are left, unless the
      // program has closed the descriptor.
      if !report.isErrorAlone { list.awaitChanges(token, for: direction.events) }
    } else if report?.isErrorAlone == true {
      state.withLock { $0.awaitsChanges = true }
      list.awaitChanges(token, for: direction.events)
    } else {
      state.withLock { $0.awaitsChanges = false }
      list.rearm(token, for: direction.events)
    }
  }

  /// Waits for more bytes at the end of a regular file.
  ///
  /// Where the kernel does not allow a watch, the source stays silent.
  private func awaitGrowth(for core: SourceCore) {
    let observer = state.withLock { $0.observer }
    guard let observer, observer.mayGrow else { return }
    let growth = try? FileGrowth.await(descriptor) { core.noted(1) }
    let unused = state.withLock { state in
      // The source may have been stopped meanwhile.
      if state.core == nil { return growth }
      let former = state.growth
      state.growth = growth
      return former
    }
    unused?.cancel()
    // The file may have grown before it was watched.
    if observer.report()?.isLast == false { core.noted(1) }
  }

  func stop(for core: SourceCore) {
    let (registration, growth, former) = state.withLock { state in
      defer { state.registration = .none }
      return (state.registration, state.growth.take(), state.core.take())
    }
    growth?.cancel()
    if case .listed(let list, let token) = registration { list.remove(token) }
    withExtendedLifetime(former) { core.released() }
  }
}
