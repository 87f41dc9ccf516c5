import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Read sources")
struct ReadSourceTests {
  /// Creates a source that records its data and calls a function with it, until the function
  /// returns false.
  private func source(
    _ descriptor: Int32,
    _ trace: Trace,
    _ handler: @escaping @Sendable (UInt) -> Bool
  ) -> ReadSource {
    let source = EventSource.makeReadSource(fileDescriptor: descriptor, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in
      trace.add(.event(source.data))
      if !handler(source.data) { source.cancel() }
    }
    source.activate()
    return source
  }

  private func read(_ descriptor: Int32, _ count: Int) -> Int {
    var bytes = [UInt8](repeating: 0, count: count)
    return (try? BorrowedDescriptor(rawValue: descriptor).read(into: &bytes)) ?? -1
  }

  private func write(_ descriptor: BorrowedDescriptor, _ count: Int) throws {
    _ = try descriptor.write([UInt8](repeating: 7, count: count), 0..<count)
  }

  @Test("The handler is called again while bytes wait")
  func level() async throws {
    let pipe = try PipeEnds()
    let trace = Trace()
    let end = pipe.reading.rawValue
    try write(pipe.writing.borrowed, 5)
    let source = source(end, trace) { _ in
      if trace.entries.count > 3 { return read(end, 2) == 2 && trace.entries.count < 6 }
      return true
    }
    #expect(
      try await trace.entries(7) == [
        .registration, .event(5), .event(5), .event(5), .event(3), .event(1), .cancellation,
      ]
    )
    #expect(source.isCancelled)
  }

  @Test("Bytes before a hang-up are reported, then its end", arguments: [false, true])
  func hangUp(isSocket: Bool) async throws {
    let pipe = isSocket ? try PipeEnds(socketsWithMessages: false) : try PipeEnds()
    try write(pipe.writing.borrowed, 2)
    let reading = pipe.closeWriting()
    let end = reading.rawValue
    let trace = Trace()
    let source = source(end, trace) { _ in read(end, 2) > 0 }
    #expect(try await trace.entries(4) == [.registration, .event(2), .event(0), .cancellation])
    withExtendedLifetime(source) {}
    withExtendedLifetime(reading) {}
  }

  @Test("A peer that stops sending is reported after its bytes")
  func halfClose() async throws {
    let pipe = try PipeEnds(socketsWithMessages: false)
    try write(pipe.writing.borrowed, 5)
    ct_shut_down_writing(pipe.writing.rawValue)
    let end = pipe.reading.rawValue
    let trace = Trace()
    let source = source(end, trace) { _ in read(end, 5) > 0 }
    #expect(try await trace.entries(4) == [.registration, .event(5), .event(0), .cancellation])
    withExtendedLifetime(source) {}
  }

  @Test("A handler that ignores the end is not called again")
  func ignoredEnd() async throws {
    let reading = try PipeEnds().closeWriting()
    let trace = Trace()
    let source = source(reading.rawValue, trace) { _ in true }
    _ = try await trace.entries(2)
    #expect(await trace.drained() == [.registration, .event(0)])
    source.cancel()
    #expect(try await trace.entries(3) == [.registration, .event(0), .cancellation])
    withExtendedLifetime(reading) {}
  }

  @Test("A listening socket reports the connections that wait")
  func listening() async throws {
    let listener = OwnedDescriptor(owning: ct_listen())
    let clients = (0..<3).map { _ in ct_connect(listener.rawValue) }
    let number = listener.rawValue
    let trace = Trace()
    let source = source(number, trace) { data in
      ct_close(ct_accept(number))
      return data > 1
    }
    #expect(
      try await trace.entries(5) == [.registration, .event(3), .event(2), .event(1), .cancellation]
    )
    for client in clients { ct_close(client) }
    withExtendedLifetime(source) {}
  }

  @Test("Datagrams are reported one by one, an empty one is no end")
  func datagrams() async throws {
    let pipe = try PipeEnds(socketsWithMessages: true)
    for count in [5, 3] { try write(pipe.writing.borrowed, count) }
    let end = pipe.reading.rawValue
    let trace = Trace()
    let source = source(end, trace) { _ in
      _ = read(end, 8)
      return trace.entries.count < 3
    }
    let entries = try await trace.entries(4)
    // The kernel counts all messages of a socket of packets, and the next one of datagrams.
    #expect(
      entries == [.registration, .event(8), .event(3), .cancellation]
        || entries == [.registration, .event(5), .event(3), .cancellation]
    )
    withExtendedLifetime(source) {}
  }

  @Test("A file reports the bytes behind its position, and its end once")
  func regularFile() async throws {
    let file = OwnedDescriptor(owning: ct_memory_file())
    try write(file.borrowed, 100)
    var bytes = [UInt8](repeating: 0, count: 40)
    let number = file.rawValue
    let reopened = try openFile("/proc/self/fd/\(number)", .readWrite)
    _ = try reopened.borrowed.read(into: &bytes)
    let trace = Trace()
    let end = reopened.rawValue
    let source = source(end, trace) { _ in
      if trace.entries.count == 3 { _ = read(end, 60) }
      return true
    }
    _ = try await trace.entries(4)
    #expect(await trace.drained() == [.registration, .event(60), .event(60), .event(0)])
    source.cancel()
    _ = try await trace.entries(5)
    withExtendedLifetime(reopened) {}
  }

  @Test("A file that grows is reported again after its end")
  func growingFile() async throws {
    let place = try TemporaryDirectory()
    let path = try place.write([1, 2, 3], to: "file")
    let reading = try openFile(path, .readOnly)
    let writing = try openFile(path, [.writeOnly, .append])
    let end = reading.rawValue
    let trace = Trace()
    let source = source(end, trace) { data in
      _ = read(end, Int(data))
      return true
    }
    #expect(try await trace.entries(3) == [.registration, .event(3), .event(0)])
    for count in [5, 2] {
      let before = trace.entries.count
      try write(writing.borrowed, count)
      #expect(try await trace.entries(before + 2).suffix(2) == [.event(UInt(count)), .event(0)])
    }
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    withExtendedLifetime(reading) {}
  }

  @Test("Two sources of one descriptor have their own events and ends")
  func twoSources() async throws {
    let pipe = try PipeEnds()
    try write(pipe.writing.borrowed, 5)
    let (first, second) = (Trace(), Trace())
    let end = pipe.reading.rawValue
    let sources = [first, second].map { trace in source(end, trace) { _ in false } }
    #expect(try await first.entries(3) == [.registration, .event(5), .cancellation])
    #expect(try await second.entries(3) == [.registration, .event(5), .cancellation])
    withExtendedLifetime(sources) {}
    withExtendedLifetime(pipe.writing) {}
  }

  @Test("A descriptor that is not open is registered with an error")
  func badDescriptor() async throws {
    let trace = Trace()
    let source = EventSource.makeReadSource(fileDescriptor: 1_000_000, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { trace.add(.call) }
    source.activate()
    #expect(try await trace.entries(1) == [.registration])
    #expect(source.registrationError == .badFileDescriptor)
    source.cancel()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
  }

  @Test("A terminal whose master has gone is reported once")
  func terminal() async throws {
    let reading = try PipeEnds(terminal: ()).closeWriting()
    let trace = Trace()
    let source = source(reading.rawValue, trace) { _ in true }
    _ = try await trace.entries(2)
    #expect(await trace.drained() == [.registration, .event(0)])
    source.cancel()
    _ = try await trace.entries(3)
    withExtendedLifetime(reading) {}
  }
}
