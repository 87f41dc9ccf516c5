import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Write sources")
struct WriteSourceTests {
  private func source(
    _ descriptor: Int32,
    _ trace: Trace,
    _ handler: @escaping @Sendable () -> Bool
  ) -> WriteSource {
    let source = EventSource.makeWriteSource(fileDescriptor: descriptor, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in
      trace.add(.mark(source.data > 0 ? "room" : "none"))
      if !handler() { source.cancel() }
    }
    source.activate()
    return source
  }

  @Test("The handler is called again while there is room")
  func level() async throws {
    let pipe = try PipeEnds(socketsWithMessages: false)
    let trace = Trace()
    let source = source(pipe.writing.rawValue, trace) { trace.entries.count < 4 }
    #expect(
      try await trace.entries(5) == [
        .registration, .mark("room"), .mark("room"), .mark("room"), .cancellation,
      ]
    )
    withExtendedLifetime(source) {}
    withExtendedLifetime(pipe.reading) {}
  }

  @Test("A reader that goes is reported once, also where the pipe is full")
  func lostReader() async throws {
    let pipe = try PipeEnds()
    ct_fill(pipe.writing.rawValue)
    let trace = Trace()
    let source = source(pipe.writing.rawValue, trace) { true }
    _ = try await trace.entries(1)
    let writing = pipe.closeReading()
    _ = try await trace.entries(2)
    #expect(await trace.drained() == [.registration, .mark("room")])
    #expect(throws: SystemError.brokenPipe) { try writing.borrowed.writeQuietly([1]) }
    source.cancel()
    _ = try await trace.entries(3)
  }

  @Test("A peer that stops sending makes no room")
  func halfClose() async throws {
    let pipe = try PipeEnds(socketsWithMessages: false)
    ct_fill(pipe.writing.rawValue)
    ct_shut_down_writing(pipe.reading.rawValue)
    let trace = Trace()
    let source = source(pipe.writing.rawValue, trace) { false }
    _ = try await trace.entries(1)
    // Another source's whole life passes through the list's thread meanwhile.
    let other = Trace()
    let last = self.source(pipe.reading.rawValue, other) { false }
    _ = try await other.entries(3)
    #expect(trace.entries == [.registration])
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    _ = try pipe.reading.borrowed.read(into: &bytes)
    _ = try await trace.entries(3)
    #expect(trace.entries == [.registration, .mark("room"), .cancellation])
    withExtendedLifetime((source, last)) {}
  }

  @Test("A socket has a read and a write source at once, and so has a file")
  func bothDirections() async throws {
    let pipe = try PipeEnds(socketsWithMessages: false)
    _ = try pipe.writing.borrowed.writeQuietly([1, 2])
    let file = OwnedDescriptor(owning: ct_memory_file())
    _ = try file.borrowed.write([1, 2, 3], 0..<3)
    for number in [pipe.reading.rawValue, file.rawValue] {
      let (reads, writes) = (Trace(), Trace())
      let reading = EventSource.makeReadSource(fileDescriptor: number, queue: reads.queue)
      reading.setEventHandler { [unowned reading] in
        reads.add(.mark("read"))
        reading.cancel()
      }
      reading.setCancelHandler { reads.add(.cancellation) }
      reading.activate()
      let writing = source(number, writes) { false }
      #expect(try await reads.entries(2) == [.mark("read"), .cancellation])
      #expect(try await writes.entries(3) == [.registration, .mark("room"), .cancellation])
      withExtendedLifetime(writing) {}
    }
  }
}
