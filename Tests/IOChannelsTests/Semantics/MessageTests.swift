import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Sockets that keep messages apart (S315)")
struct MessageTests {
  private func send(_ count: Int, from start: Int, _ ends: borrowing PipeEnds) throws {
    #expect(try ends.writing.borrowed.write(pattern(count, from: start), 0..<count) == count)
  }

  @Test("A read drops the rest of a message", arguments: TestBackend.real)
  func shortReads(backend: TestBackend) async throws {
    let ends = try PipeEnds(socketsWithMessages: true)
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    for start in [0, 10, 20, 30, 40] { try send(10, from: start, ends) }
    #expect([UInt8](try await channel.read(upTo: 3)) == pattern(3))
    // One message after the other, the last one in part.
    #expect([UInt8](try await channel.read(length: 14)) == pattern(14, from: 10))
    #expect([UInt8](try await channel.read(exactly: 4)) == pattern(4, from: 30))
    #expect([UInt8](try await channel.read(upTo: 100)) == pattern(10, from: 40))
    channel.close()
    await trace.reach(1)
    _ = ends.reading.rawValue
  }

  @Test("An empty message counts as the end of one read", arguments: TestBackend.real)
  func emptyMessage(backend: TestBackend) async throws {
    let ends = try PipeEnds(socketsWithMessages: true)
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    try send(10, from: 0, ends)
    #expect(try ends.writing.borrowed.write([], 0..<0) == 0)
    try send(10, from: 10, ends)
    #expect([UInt8](try await channel.readAll()) == pattern(10))
    #expect([UInt8](try await channel.read(upTo: 100)) == pattern(10, from: 10))
    channel.close()
    await trace.reach(1)
    _ = ends.reading.rawValue
  }

  @Test("A write of bytes in several regions is one message", arguments: TestBackend.real)
  func writes(backend: TestBackend) async throws {
    let ends = try PipeEnds(socketsWithMessages: true)
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    try await channel.write(DataBuffer(pattern(10)) + DataBuffer(pattern(20, from: 10)))
    try await channel.write(DataBuffer(pattern(5)))
    var room = [UInt8](repeating: 0, count: 100)
    #expect(try ends.reading.borrowed.read(into: &room) == 30)
    #expect(try ends.reading.borrowed.read(into: &room) == 5)
    // More than the socket accepts at once.
    let error = await #expect(throws: IOChannelError.self) {
      try await channel.write(DataBuffer(pattern(1 << 20)))
    }
    #expect(error?.reason == .messageTooLong && error?.transferredCount == 0)
    channel.close()
    await trace.reach(1)
    _ = ends.reading.rawValue
  }
}
