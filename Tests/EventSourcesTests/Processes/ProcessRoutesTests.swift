import Testing

@testable import EventSources

@Suite("Routes from processes to sources")
struct ProcessRoutesTests {
  private var routes = ProcessRoutes<String>()

  private mutating func receivers(of message: ConnectorMessage) -> [String] {
    routes.receivers(of: message).map { "\($0.receiver) \($0.event == .fork ? "fork" : "exec")" }
  }

  @Test("A message reaches the sources of its process whose mask has the event")
  mutating func masks() {
    _ = routes.add("a", of: 5, for: [.exit, .fork])
    _ = routes.add("b", of: 5, for: [.fork, .exec])
    _ = routes.add("c", of: 6, for: .exec)
    #expect(receivers(of: .forked(parent: 5, child: 7)) == ["a fork", "b fork"])
    #expect(receivers(of: .executed(5)) == ["b exec"])
    #expect(receivers(of: .executed(6)) == ["c exec"])
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
    #expect(receivers(of: .forked(parent: 5, child: 7)) == ["b fork"])
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
    #expect(receivers(of: .forked(parent: 5, child: 6)) == ["former fork"])
    #expect(receivers(of: .forked(parent: 1, child: 5)) == [])
    #expect(receivers(of: .forked(parent: 5, child: 7)) == [])
    _ = routes.add("new", of: 5, for: .fork)
    #expect(receivers(of: .forked(parent: 5, child: 8)) == ["new fork"])
    #expect(routes.remove(former) == "former")
  }
}
