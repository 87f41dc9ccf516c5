internal import IOChannelsLocks

/// A producer that waits for the end of a process, and for its forks and execs.
final class ProcessProducer: EventProducer, ReadinessReceiver {
  private struct State: ~Copyable {
    /// Nil for a process that was gone at the creation, and after the release.
    var descriptor: ProcessDescriptor?
    var connection: ConnectorConnection?
    var route: ProcessRoutes<SourceCore>.Name?
    var registration: (list: ReadinessList, token: ReadinessToken)?
    var core: SourceCore?
    var hasEnded = false
    /// Whether the end was delivered, after which no event follows.
    var isOver = false
    var status: ProcessStatus?

    /// Whether the kernel reports the end of the process.
    mutating func isReadable() -> Bool {
      guard let borrowed = descriptor?.borrowed else { return true }
      return (try? borrowed.readiness(.readable)) != []
    }

    /// Asks the kernel for the status unless it is known.
    mutating func learnStatus() {
      guard status == nil, let number = descriptor?.waitStatus() else { return }
      status = ProcessStatus(waitStatus: number)
    }
  }

  private let process: Int32
  private let events: EventSource.ProcessEvent
  private let state: BargingLock<State>

  /// Opens the process, whose number may name another one later.
  init(_ process: Int32, _ events: EventSource.ProcessEvent) throws(SystemError) {
    self.process = process
    self.events = events
    // Without the descriptor nothing is left to observe but the end.
    guard let descriptor = try Self.descriptor(of: process) else {
      state = BargingLock(State())
      return
    }
    let needsConnector = !events.isDisjoint(with: .ofConnector)
    let connection = needsConnector ? try ConnectorConnection() : nil
    state = BargingLock(State(descriptor: descriptor, connection: connection))
  }

  /// Returns the descriptor of a process, nil if there is none with the number.
  private static func descriptor(of process: Int32) throws(SystemError) -> ProcessDescriptor? {
    do throws(SystemError) {
      return try ProcessDescriptor(of: process)
    } catch {
      if error == .noSuchProcess { return nil }
      throw error
    }
  }

  var status: ProcessStatus? {
    state.withLock { state in
      state.learnStatus()
      return state.status
    }
  }

  // MARK: - Registration

  func start(for core: SourceCore) {
    // Events may arrive before `register` returns.
    let number = state.withLock { state in
      state.core = core
      return state.descriptor?.borrowed.rawValue
    }
    guard let number else {
      core.registered(nil)
      return noteEnd(core)
    }
    do throws(SystemError) {
      let list = try SharedReadinessList.get()
      let token = try list.register(number, for: .readable, self)
      state.withLock { $0.registration = (list, token) }
      try connect(core)
      core.registered(nil)
    } catch {
      core.registered(error)
    }
  }

  /// Receives forks and execs from here on, unless the process has ended.
  private func connect(_ core: SourceCore) throws(SystemError) {
    let connection = state.withLock { $0.hasEnded ? nil : $0.connection }
    guard let connection else { return }
    let route = try connection.connector.add(core, of: process, for: events)
    // A process that lives now had the number when the route was added.
    let hasEnded = state.withLock { state in
      state.hasEnded = state.hasEnded || state.isReadable()
      if !state.hasEnded { state.route = route }
      return state.hasEnded
    }
    if hasEnded { connection.connector.remove(route) }
  }

  func stop(for core: SourceCore) {
    let (registration, former) = state.withLock { state in
      (state.registration.take(), state.core.take())
    }
    if let registration { registration.list.remove(registration.token) }
    disconnect()
    state.withLock { state in
      state.learnStatus()
      state.descriptor = nil
    }
    withExtendedLifetime(former) { core.released() }
  }

  /// Ends forks and execs.
  private func disconnect() {
    let (connection, route) = state.withLock { state in
      (state.connection.take(), state.route.take())
    }
    if let route { connection?.connector.remove(route) }
    withExtendedLifetime(connection) {}
  }

  // MARK: - Events

  /// Notes the end of the process.
  func ready(_ states: ReadinessEvents) {
    let (core, connection) = state.withLock { state in
      state.hasEnded = true
      return (state.core, state.connection)
    }
    // Events before the end wait in the socket. Later the number may name another process.
    connection?.connector.receiveAll()
    disconnect()
    if let core { noteEnd(core) }
  }

  private func noteEnd(_ core: SourceCore) {
    core.noted(EventSource.ProcessEvent.exit.rawValue)
    // Without `.exit` in the mask that was no event.
    core.ended()
  }

  func latch(_ noted: UInt) -> UInt? {
    if EventSource.ProcessEvent(rawValue: noted).contains(.exit) {
      state.withLock { state in
        state.learnStatus()
        state.isOver = true
      }
    }
    return noted
  }

  var isOver: Bool { state.withLock { $0.isOver } }
}
