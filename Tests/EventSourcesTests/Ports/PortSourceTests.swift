import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Port sources")
struct PortSourceTests {
  /// Creates a source that records its data and receives one message in each call.
  private func receiving(_ port: EventPort, _ trace: Trace) -> PortSource {
    let source = EventSource.makePortReceiveSource(port: port, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in
      let message = try? port.receive()
      trace.add(.message(bytes: message?.count, waiting: source.data))
    }
    source.activate()
    return source
  }

  private func watching(_ sender: EventPort.Sender, _ trace: Trace, _ name: String) -> PortSource {
    let source = EventSource.makePortSendSource(port: sender, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in
      trace.add(.sender(of: name, source.sendEvents))
    }
    source.activate()
    return source
  }

  @Test("The data are the bytes of all messages that wait")
  func sums() async throws {
    let (port, sender) = try EventPort.makePair()
    let trace = Trace()
    for count in [5, 3, 1] { try sender.send([UInt8](repeating: 7, count: count)) }
    let source = receiving(port, trace)
    #expect(source.handle == UInt(port.borrowed.rawValue))
    #expect(source.mask.isEmpty)
    #expect(
      try await trace.entries(4) == [
        .registration, .message(bytes: 5, waiting: 9), .message(bytes: 3, waiting: 4),
        .message(bytes: 1, waiting: 1),
      ]
    )
    try sender.send([1, 2])
    #expect(try await trace.entries(5).last == .message(bytes: 2, waiting: 2))
    source.cancel()
    #expect(try await trace.entries(6).last == .cancellation)
    #expect(source.data == 0)
  }

  @Test("Messages that wait at a hang-up are reported, then its end once")
  func hangUp() async throws {
    let trace = Trace()
    let port = try portWithoutSenders(messages: [5, 3])
    let source = receiving(port, trace)
    let expected: [TraceEntry] = [
      .registration, .message(bytes: 5, waiting: 8), .message(bytes: 3, waiting: 3),
      .message(bytes: nil, waiting: 0),
    ]
    #expect(try await trace.entries(4) == expected)
    #expect(await trace.drained() == expected)
    source.cancel()
    #expect(try await trace.entries(5).last == .cancellation)
  }

  @Test("A sender that goes later is reported")
  func laterHangUp() async throws {
    let trace = Trace()
    var pair: (port: EventPort, sender: EventPort.Sender?) = try EventPort.makePair()
    let source = receiving(pair.port, trace)
    _ = try await trace.entries(1)
    pair.sender = nil
    #expect(try await trace.entries(2) == [.registration, .message(bytes: nil, waiting: 0)])
    source.cancel()
    _ = try await trace.entries(3)
  }

  private func portWithoutSenders(messages: [Int]) throws -> EventPort {
    let (port, sender) = try EventPort.makePair()
    for count in messages { try sender.send([UInt8](repeating: 7, count: count)) }
    return port
  }

  @Test("Two sources of one port are both called and cancelled")
  func twoSources() async throws {
    let (port, sender) = try EventPort.makePair()
    let traces = [Trace(), Trace()]
    try sender.send([1, 2, 3])
    // They receive nothing, so that each finds the message.
    let sources = traces.map { trace in
      let source = PortSource(receivingOn: port, queue: trace.queue)
      source.record(in: trace)
      source.setEventHandler { [unowned source] in
        trace.add(.event(source.data))
        source.cancel()
      }
      source.activate()
      return source
    }
    for trace in traces {
      #expect(try await trace.entries(3) == [.registration, .event(3), .cancellation])
    }
    withExtendedLifetime(sources) {}
    withExtendedLifetime(sender) {}
  }

  @Test("The death of a port is reported once to each source that watches a sender")
  func death() async throws {
    let trace = Trace()
    var pair: (port: EventPort?, sender: EventPort.Sender) = try EventPort.makePair()
    let sources = [
      watching(pair.sender, trace, "a"),
      watching(pair.sender, trace, "b"),
      watching(try pair.sender.duplicate(), trace, "c"),
    ]
    #expect(try await trace.entries(3) == [.registration, .registration, .registration])
    try pair.sender.send([1])
    #expect(await trace.drained().count == 3)
    pair.port = nil
    let deaths = Set(try await trace.entries(6).dropFirst(3))
    #expect(deaths == [.sender(of: "a", .dead), .sender(of: "b", .dead), .sender(of: "c", .dead)])
    #expect(await trace.drained().count == 6)
    #expect(sources[0].mask == .dead)
    for source in sources { source.cancel() }
    _ = try await trace.entries(9)
    #expect(sources[0].mask.isEmpty && sources[0].sendEvents.isEmpty)
  }

  @Test("A source keeps its port until it is dropped")
  func keptPort() async throws {
    let trace = Trace()
    var pair: (port: EventPort?, sender: EventPort.Sender) = try EventPort.makePair()
    var source: PortSource? = receiving(try #require(pair.port), trace)
    source?.setEventHandler { trace.add(.call) }
    _ = try await trace.entries(1)
    pair.port = nil
    try pair.sender.send([1])
    _ = try await trace.entries(2)
    source?.cancel()
    source = nil
    try await trace.reach { $0.contains(.cancellation) }
    let sender = pair.sender
    try await reach {
      do throws(SystemError) {
        try sender.send([1])
        return false
      } catch {
        return error == .brokenPipe
      }
    }
  }

  @Test("A cancelled source releases the sender that it watched")
  func releasedSender() async throws {
    let trace = Trace()
    let (port, source) = try watchedPort(trace)
    _ = try await trace.entries(1)
    #expect(try port.receive() == nil)
    source.cancel()
    // The sender is released before the cancel handler runs.
    #expect(try await trace.entries(2) == [.registration, .cancellation])
    #expect(throws: SystemError.brokenPipe) { try port.receive() }
    #expect(source.handle > 0)
  }

  /// Returns a port whose only sender is that of a source.
  private func watchedPort(_ trace: Trace) throws -> (EventPort, PortSource) {
    let (port, sender) = try EventPort.makePair()
    return (port, watching(sender, trace, "a"))
  }

  @Test("A sequence of events ends with the death of a port")
  func sequence() async throws {
    let trace = Trace()
    let (_, sender) = try EventPort.makePair()
    let source = EventSource.makePortSendSource(port: sender)
    let task = Task {
      for try await event in source.events { trace.add(.event(event)) }
      trace.add(.mark("end"))
    }
    #expect(try await trace.entries(2) == [.event(1), .mark("end")])
    try await task.value
  }

  @Test("A sequence of messages ends after the last sender")
  func sequenceOfMessages() async throws {
    let trace = Trace()
    var pair: (port: EventPort, sender: EventPort.Sender?) = try EventPort.makePair()
    let port = pair.port
    let source = EventSource.makePortReceiveSource(port: port)
    let task = Task {
      for try await count in source.events {
        trace.add(.event(count))
        if count > 0 { trace.add(.message(bytes: try port.receive()?.count, waiting: count)) }
      }
      trace.add(.mark("end"))
    }
    try #require(pair.sender).send([1, 2, 3])
    #expect(try await trace.entries(2) == [.event(3), .message(bytes: 3, waiting: 3)])
    pair.sender = nil
    #expect(
      try await trace.entries(4) == [
        .event(3), .message(bytes: 3, waiting: 3), .event(0), .mark("end"),
      ]
    )
    try await task.value
  }

  @Test("A port that has gone before the activation is reported")
  func earlyDeath() async throws {
    let trace = Trace()
    let (_, sender) = try EventPort.makePair()
    let source = watching(sender, trace, "a")
    #expect(try await trace.entries(2) == [.registration, .sender(of: "a", .dead)])
    source.cancel()
    #expect(try await trace.entries(3).last == .cancellation)
  }

  @Test("A cancelled source reports neither messages nor a death")
  func cancellation() async throws {
    let traces = [Trace(), Trace()]
    var pair: (port: EventPort?, sender: EventPort.Sender) = try EventPort.makePair()
    let sources = [
      receiving(try #require(pair.port), traces[0]), watching(pair.sender, traces[1], "a"),
    ]
    for trace in traces { _ = try await trace.entries(1) }
    for source in sources { source.cancel() }
    for trace in traces { #expect(try await trace.entries(2) == [.registration, .cancellation]) }
    try pair.sender.send([1])
    pair.port = nil
    for trace in traces { #expect(await trace.drained() == [.registration, .cancellation]) }
  }
}
