internal import IOChannelsLocks

/// A counter of the signals of the process for all signal sources.
///
/// A handler counts each signal that a thread takes, and makes a first descriptor readable. A
/// second descriptor takes the signals that all threads block. It often takes a signal before a
/// thread that does not block it. So it is not given those that the program handles: their handler
/// has to run.
///
/// Both descriptors are on the readiness list while there are sources. They stay open afterwards,
/// for the handler may run at any time.
final class SignalWatch: ReadinessReceiver {
  static let shared = SignalWatch(list: SharedReadinessList.get)

  private struct Descriptors: Sendable {
    /// Readable after the handler has counted a signal.
    let wakeup: BorrowedDescriptor
    /// Readable while a watched signal is pending.
    let pending: BorrowedDescriptor
  }

  private struct Registration: Sendable {
    let list: ReadinessList
    let wakeup: ReadinessToken
    let pending: ReadinessToken
  }

  private struct State: Sendable {
    var table = SignalTable()
    var cores: [Int32: [SourceCore]] = [:]
    /// The numbers of signals that came while all of their sources were ending.
    var unreported: [Int32: UInt] = [:]
    var descriptors: Descriptors?
    var registration: Registration?
  }

  private let list: @Sendable () throws(SystemError) -> ReadinessList
  private let state = BargingLock(State())
  private let generation = ProcessGeneration.current

  /// Creates a counter whose descriptors are on a list.
  init(list: @escaping @Sendable () throws(SystemError) -> ReadinessList) { self.list = list }
}

// MARK: - Sources

extension SignalWatch {
  /// Counts a signal for one more source, and keeps the source until `remove`.
  ///
  /// - Throws: `EBUSY` for the signal with which the library interrupts calls, and for one that the
  ///   program has taken from sources too often; the system's error where it has no descriptors or
  ///   threads; `EOWNERDEAD` in a child of a fork.
  func add(_ core: SourceCore, for signal: Int32) throws(SystemError) {
    guard generation == ProcessGeneration.current else { throw .ownerDied }
    guard signal != CallInterruption.reservedSignal else { throw .resourceBusy }
    let (result, deliveries) = state.withLock { state in
      var deliveries: [SourceDelivery] = []
      let result = Result { () throws(SystemError) in
        try begin(signal, for: core, &state, &deliveries)
      }
      return (result, deliveries)
    }
    for delivery in deliveries { delivery.submit() }
    try result.get()
  }

  /// Ends the counting for a source; does nothing if the source was refused.
  func remove(_ core: SourceCore, for signal: Int32) {
    state.withLock { state in
      remove(core, for: signal, &state)
      settle(&state)
    }
  }

  private func remove(_ core: SourceCore, for signal: Int32, _ state: inout State) {
    guard let index = state.cores[signal]?.firstIndex(where: { $0 === core }) else { return }
    state.cores[signal]?.remove(at: index)
    let found = (try? SignalCounters.disposition(of: signal)) ?? .defaultAction
    let change = state.table.remove(signal, found: found)
    perform(change, signal)
    guard state.cores[signal]?.isEmpty == true else { return }
    state.cores[signal] = nil
    end(signal, after: change, &state)
  }

  /// Ends the counting of a signal without sources.
  private func end(_ signal: Int32, after change: SignalTable.Change, _ state: inout State) {
    SignalCounters.setWatched(signal, false)
    // Signals that no source has received are handled by the restored disposition. A handler of the
    // program has run for each of them.
    let unreported =
      SignalCounters.take(signal) + (state.unreported.removeValue(forKey: signal) ?? 0)
    if unreported > 0, case .restore(_, resends: true) = change { SignalCounters.send(signal) }
  }

  /// Begins to count a signal for a source.
  ///
  /// The handler is installed before the list starts its thread: that may take milliseconds, in
  /// which a signal would have the former disposition.
  private func begin(
    _ signal: Int32,
    for core: SourceCore,
    _ state: inout State,
    _ deliveries: inout [SourceDelivery]
  ) throws(SystemError) {
    let found = try SignalCounters.disposition(of: signal)
    let descriptors = if let open = state.descriptors { open } else { try Self.open() }
    state.descriptors = descriptors
    defer { settle(&state) }
    let change = state.table.add(signal, found: found)
    if change == .refuse { throw .resourceBusy }
    // The signals that have arrived are those of the former sources.
    report(signal, &state, &deliveries)
    SignalCounters.setWatched(signal, true)
    perform(change, signal)
    state.cores[signal, default: []].append(core)
    do throws(SystemError) {
      if state.registration == nil { state.registration = try register(descriptors) }
    } catch {
      remove(core, for: signal, &state)
      throw error
    }
    look(&state)
    if state.unreported[signal] != nil { report(signal, &state, &deliveries) }
  }

  private static func open() throws(SystemError) -> Descriptors {
    let pending = try SignalCounters.makePendingDescriptor(for: 0)
    do throws(SystemError) {
      return Descriptors(wakeup: try SignalCounters.makeWakeup(), pending: pending)
    } catch {
      _ = OwnedDescriptor(owning: pending.rawValue)
      throw error
    }
  }

  private func register(_ descriptors: Descriptors) throws(SystemError) -> Registration {
    let list = try self.list()
    let wakeup = try list.register(descriptors.wakeup.rawValue, for: .readable, self)
    do throws(SystemError) {
      let pending = try list.register(descriptors.pending.rawValue, for: .readable, self)
      return Registration(list: list, wakeup: wakeup, pending: pending)
    } catch {
      list.remove(wakeup)
      throw error
    }
  }

  /// Sets the signals that the second descriptor takes. After the last source it removes both
  /// descriptors from the list.
  private func settle(_ state: inout State) {
    guard let descriptors = state.descriptors else { return }
    // It fails only where the program has closed the descriptor. The handler works without it.
    _ = try? SignalCounters.setSignals(state.table.takenWhilePending, of: descriptors.pending)
    guard state.cores.isEmpty, let registration = state.registration.take() else { return }
    registration.list.remove(registration.wakeup)
    registration.list.remove(registration.pending)
  }
}

// MARK: - Signals

extension SignalWatch {
  func ready(_ states: ReadinessEvents) {
    let deliveries = state.withLock { state -> [SourceDelivery] in
      guard let descriptors = state.descriptors, let registration = state.registration
      else { return [] }
      let former = state.table.takenWhilePending
      look(&state)
      // A pending signal is left to a handler that the program has set meanwhile.
      if state.table.takenWhilePending != former { settle(&state) }
      // The counts are taken after the descriptors, so that no signal is left without a wake.
      SignalCounters.takeWakeup(descriptors.wakeup)
      SignalCounters.countPending(descriptors.pending)
      registration.list.rearm(registration.wakeup, for: .readable)
      registration.list.rearm(registration.pending, for: .readable)
      var deliveries: [SourceDelivery] = []
      for signal in state.table.watched { report(signal, &state, &deliveries) }
      return deliveries
    }
    for delivery in deliveries { delivery.submit() }
  }

  /// Reports the count of a signal to its sources.
  ///
  /// If all of them were cancelled or dropped, the count stays for the end of the last one. A
  /// source that ends needs the lock for it, so that no count falls between. The caller submits the
  /// deliveries without the lock, because a pool without threads runs work in `submit`.
  private func report(
    _ signal: Int32,
    _ state: inout State,
    _ deliveries: inout [SourceDelivery]
  ) {
    let count = SignalCounters.take(signal) + (state.unreported.removeValue(forKey: signal) ?? 0)
    guard count > 0, let cores = state.cores[signal] else { return }
    let received = cores.compactMap { $0.receive(count) }
    deliveries += received
    if received.isEmpty { state.unreported[signal] = count }
  }

  /// Looks whether the program has changed the dispositions of watched signals.
  private func look(_ state: inout State) {
    for signal in state.table.watched {
      guard let found = try? SignalCounters.disposition(of: signal) else { continue }
      state.table.look(at: signal, found: found)
    }
  }

  private func perform(_ change: SignalTable.Change, _ signal: Int32) {
    switch change {
    case .none, .refuse: break
    // The kernel accepts a handler for every signal that can be watched.
    case .install(let level): _ = try? SignalCounters.install(signal, level: level)
    case .restore(let level, _): SignalCounters.restore(signal, level: level)
    }
  }
}
