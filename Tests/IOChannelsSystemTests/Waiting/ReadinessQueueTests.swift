import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Readiness queue")
struct ReadinessQueueTests {
  @Test("A one-time registration is reported once", arguments: [false, true])
  func whoWaitsOnceIsToldOnce(once: Bool) throws {
    let ends = try PipeEnds()
    let list = try ReadinessQueue()
    try list.add(ends.reading.borrowed, forReading: true, once: once, token: 7)
    #expect(try list.next(within: 0) == nil)
    _ = try ends.writing.borrowed.write([1], 0..<1)
    #expect(try list.next().token == 7)
    #expect(try (list.next(within: 0) == nil) == once)
  }
}
