import Testing

@testable import EventSources

@Suite("Routes from processes to sources")
struct ProcessRoutesTests {
  private var routes = ProcessRoutes<String>()

  /// A receiver of a message and the event that it gets.
  private struct Receipt: Equatable, CustomStringConvertible {
    let receiver: String
    let event: EventSource.ProcessEvent

    static func fork(_ receiver: String) -> Receipt { Receipt(receiver: receiver, event: .fork) }
    static func exec(_ receiver: String) -> Receipt { Receipt(receiver: receiver, event: .exec) }

    var description: String { "\(event == .fork ? "fork" : "exec") for \(receiver)" }
  }

  private mutating func receivers(of message: ConnectorMessage) -> [Receipt] {
    routes.receivers(of: message).map { Receipt(receiver: $0.receiver, event: $0.event) }
  }

  @Test("A message reaches the sources of its process whose mask has the event")
  mutating func masks() {
    _ = routes.add("a", of: 5, for: [.exit, .fork])
    _ = routes.add("b", of: 5, for: [.fork, .exec])
    _ = routes.add("c", of: 6, for: .exec)
    #expect(receivers(of: .forked(parent: 5, child: 7)) == [.fork("a"), .fork("b")])
    #expect(receivers(of: .executed(5)) == [.exec("b")])
    #expect(receivers(of: .executed(6)) == [.exec("c")])
    #expect(receivers(of: .forked(parent: 6, child: 8)) == [])
    #expect(receivers(of: .executed(7)) == [])
    #expect(receivers(of: .acknowledged(request: 5, error: 0)) == [])
  }

  @Test("A removed route gets nothing, and is removed once")
  mutating func removal() {
    let a = routes.add("a", of: 5, for: .fork)
    let b = routes.add("b", of: 5, for: .fork)
    #expect(routes.remove(a) == "a")
    #expect(routes.remove(a) == nil)
    #expect(receivers(of: .forked(parent: 5, child: 7)) == [.fork("b")])
    #expect(Array(routes.processes) == [5])
    let c = routes.add("c", of: 5, for: .fork)
    #expect(a != c)
    #expect(routes.remove(b) == "b")
    #expect(routes.remove(c) == "c")
    #expect(Array(routes.processes) == [])
  }

  @Test("A source gets nothing of a later process with the same number")
  mutating func reusedNumber() {
    let former = routes.add("former", of: 5, for: .fork)
    #expect(receivers(of: .forked(parent: 5, child: 6)) == [.fork("former")])
    #expect(receivers(of: .forked(parent: 1, child: 5)) == [])
    #expect(receivers(of: .forked(parent: 5, child: 7)) == [])
    _ = routes.add("new", of: 5, for: .fork)
    #expect(receivers(of: .forked(parent: 5, child: 8)) == [.fork("new")])
    #expect(routes.remove(former) == "former")
  }
}
