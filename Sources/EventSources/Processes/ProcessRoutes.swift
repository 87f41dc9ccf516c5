/// The sources that wait for the forks and execs of each process.
struct ProcessRoutes<Receiver: Sendable>: Sendable {
  /// The identity of one route; a later route never has the same one.
  struct Name: Hashable, Sendable {
    fileprivate let process: Int32
    fileprivate let number: UInt64
  }

  private struct Route {
    let number: UInt64
    let receiver: Receiver
    /// The events to report, none once the number names another process.
    var events: EventSource.ProcessEvent
  }

  private var routes: [Int32: [Route]] = [:]
  private var nextNumber: UInt64 = 0

  /// The processes that are observed.
  var processes: some Collection<Int32> { routes.keys }

  /// Adds a route for some events of a process.
  mutating func add(
    _ receiver: Receiver,
    of process: Int32,
    for events: EventSource.ProcessEvent
  ) -> Name {
    let name = Name(process: process, number: nextNumber)
    nextNumber += 1
    routes[process, default: []].append(
      Route(number: name.number, receiver: receiver, events: events)
    )
    return name
  }

  /// Removes a route, if that has not happened yet, and returns its receiver.
  mutating func remove(_ name: Name) -> Receiver? {
    guard let index = routes[name.process]?.firstIndex(where: { $0.number == name.number })
    else { return nil }
    let removed = routes[name.process]?.remove(at: index)
    if routes[name.process]?.isEmpty == true { routes[name.process] = nil }
    return removed?.receiver
  }

  /// Returns the receivers of a message, and the event that it means to them.
  mutating func receivers(
    of message: ConnectorMessage
  ) -> [(receiver: Receiver, event: EventSource.ProcessEvent)] {
    switch message {
    case .forked(let parent, let child):
      // A new process has the number, so that the observed one has ended.
      if let count = routes[child]?.count {
        for index in 0..<count { routes[child]?[index].events = [] }
      }
      return receivers(of: .fork, by: parent)
    case .executed(let process):
      return receivers(of: .exec, by: process)
    case .acknowledged:
      return []
    }
  }

  private func receivers(
    of event: EventSource.ProcessEvent,
    by process: Int32
  ) -> [(receiver: Receiver, event: EventSource.ProcessEvent)] {
    (routes[process] ?? []).filter { $0.events.contains(event) }.map { ($0.receiver, event) }
  }
}
