internal import IOChannelsLocks

/// A socket that receives the forks and execs of processes from the kernel for all sources.
///
/// The kernel sends them to one socket, through a filter on the observed processes. Where more
/// events arrive than the socket holds, the kernel drops some. The connector continues with the
/// next one (S195).
final class ProcessConnector: ReadinessReceiver {
  /// A function that returns the kernel's program for the observed processes.
  typealias Filter = @Sendable ([Int32]) -> [UInt64]

  private struct State: ~Copyable {
    /// Nil once the connector was closed.
    var socket: ConnectorSocket?
    var token: ReadinessToken?
    var routes = ProcessRoutes<SourceCore>()
    let filter: Filter

    /// Lets the kernel pass messages of the observed processes only.
    ///
    /// - Throws: `ENOMEM` if the kernel has no memory for the new program. It keeps the old one.
    func updateFilter() throws(SystemError) {
      try socket?.setFilter(filter(Array(routes.processes)))
    }
  }

  private typealias Events = [(receiver: SourceCore, event: EventSource.ProcessEvent)]

  private let list: ReadinessList
  private let state: BargingLock<State>
  private let generation = ProcessGeneration.current
  /// The number of messages after which other descriptors are served.
  private static let batch = 64

  /// Whether this is the process that opened the connector, and not a child of a fork.
  var isOfThisProcess: Bool { generation == ProcessGeneration.current }

  /// Opens a socket and asks the kernel for events.
  ///
  /// - Parameters:
  ///   - list: The list that waits for the socket.
  ///   - room: The size of the receive buffer in bytes, which the system's limit cuts.
  ///   - filter: Returns the kernel's program for the observed processes.
  /// - Throws: `EOPNOTSUPP` where the kernel ignores the request, as in namespaces of processes or
  ///   users other than the first; the error of the socket otherwise.
  init(
    list: ReadinessList,
    room: Int32 = 1 << 20,
    filter: @escaping Filter = { ConnectorFilter(processes: $0).instructions.map(\.bits) }
  ) throws(SystemError) {
    self.list = list
    let socket = try ConnectorSocket()
    socket.setRoom(bytes: room)
    try socket.setFilter(ConnectorFilter(processes: []).instructions.map(\.bits))
    try socket.bind()
    try Self.start(socket)
    state = BargingLock(State(socket: socket, filter: filter))
  }

  private static func start(_ socket: borrowing ConnectorSocket) throws(SystemError) {
    let request = UInt32.random(in: 0...(.max))
    try socket.send(ConnectorRequest.startEvents.bytes(number: request))
    // The kernel has answered by now. Answers to requests of other programs may precede this one.
    var bytes = [UInt8](repeating: 0, count: 512)
    for _ in 0..<256 {
      do throws(SystemError) {
        let count = try socket.receive(into: &bytes)
        for case .acknowledged(request, let error) in ConnectorMessage.messages(in: bytes[..<count])
        {
          if error != 0 { throw SystemError(rawValue: abs(error)) }
          return
        }
      } catch {
        if error == .resourceTemporarilyUnavailable { throw .notSupported }
        if error != .noBufferSpace { throw error }
      }
    }
    throw .notSupported
  }

  /// Starts to receive messages.
  func open() throws(SystemError) {
    // A message that arrives at once waits for the lock, and so for the token.
    try state.withLock { state in
      Result { () throws(SystemError) in
        guard let number = state.socket?.borrowed.rawValue else { return }
        state.token = try list.register(number, for: .readable, self)
      }
    }.get()
  }

  /// Ends all messages and closes the socket.
  func close() {
    let token = state.withLock { $0.token.take() }
    if isOfThisProcess, let token { list.remove(token) }
    state.withLock { state in
      // Kernels before 6.6 count listeners by these requests. A child of a fork must not end those
      // of its parent.
      if isOfThisProcess {
        try? state.socket?.send(ConnectorRequest.stopEvents.bytes(number: 0))
      }
      state.socket = nil
    }
  }

  // MARK: - Sources

  /// Reports some events of a process to a source from here on.
  ///
  /// - Throws: `ENOMEM` if the kernel has no memory for a filter that passes them.
  func add(
    _ core: SourceCore,
    of process: Int32,
    for events: EventSource.ProcessEvent
  ) throws(SystemError) -> ProcessRoutes<SourceCore>.Name {
    try state.withLock { state in
      Result { () throws(SystemError) in
        let name = state.routes.add(core, of: process, for: events)
        do throws(SystemError) {
          try state.updateFilter()
        } catch {
          _ = state.routes.remove(name)
          throw error
        }
        return name
      }
    }.get()
  }

  func remove(_ name: ProcessRoutes<SourceCore>.Name) {
    // The source is released outside of the lock.
    let removed = state.withLock { state in
      let removed = state.routes.remove(name)
      // The old program passes more than the new one would.
      if isOfThisProcess { try? state.updateFilter() }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: - Messages

  func ready(_ states: ReadinessEvents) {
    _ = receive()
    if let token = state.withLock({ $0.token }) { list.rearm(token, for: .readable) }
  }

  /// Reports all messages that wait.
  func receiveAll() {
    // The bound is more than the socket holds.
    for _ in 0..<256 where receive() < Self.batch { return }
  }

  /// Reports the messages that wait, up to a batch, and returns their number.
  private func receive() -> Int {
    var bytes = [UInt8](repeating: 0, count: 512)
    let (count, events) = state.withLock { state -> (Int, Events) in
      var events: Events = []
      for count in 0..<Self.batch {
        do throws(SystemError) {
          guard let received = try state.socket?.receive(into: &bytes) else { return (0, []) }
          for message in ConnectorMessage.messages(in: bytes[..<received]) {
            events += state.routes.receivers(of: message)
          }
        } catch {
          // The kernel reports a loss once. The messages that were kept follow.
          if error != .noBufferSpace { return (count, events) }
        }
      }
      return (Self.batch, events)
    }
    for (core, event) in events { core.noted(event.rawValue) }
    return count
  }
}
