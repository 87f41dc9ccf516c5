import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("The end of the sending direction of a socket (S226)")
struct FinishWritingTests {
  /// Two channels of connected sockets, and what has to stay open.
  private struct Pair: ~Copyable {
    let ends: PipeEnds
    let channel: IOChannel
    let peer: IOChannel

    init(_ backend: TestBackend) throws {
      let ends = try PipeEnds(socketsWithMessages: false)
      let channel = try backend.channel(.stream, ends.reading, Trace())
      let peer = try backend.channel(.stream, ends.writing, Trace())
      self.ends = ends
      self.channel = channel
      self.peer = peer
    }

    consuming func close() async throws {
      try await channel.closeAndCleanUp(flags: .stop)
      try await peer.closeAndCleanUp(flags: .stop)
    }
  }

  @Test("It follows earlier writes and waits for no read", arguments: TestBackend.allCases)
  func order(backend: TestBackend) async throws {
    let pair = try Pair(backend)
    let trace = Trace()
    let data = DataBuffer(pattern(2_000_000))
    let channel = pair.channel
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("read"))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler("write"))
    async let end: Void = channel.finishWriting()
    #expect(try await pair.peer.readAll() == data)
    try await end
    #expect(!trace.entries.contains { $0.name == "read" })
    try await pair.peer.write(DataBuffer([5]))
    await trace.reach { $0.entries.contains(.delivery(of: "read", done: true, bytes: 1)) }
    #expect(trace.bytes.last == 5)
    let error = await #expect(throws: IOChannelError.self) { try await channel.write(data) }
    #expect(error?.reason == .brokenPipe)
    try await pair.close()
  }

  @Test("A cancelled one leaves the direction open", arguments: TestBackend.allCases)
  func cancellation(backend: TestBackend) async throws {
    let pair = try Pair(backend)
    let trace = Trace()
    let data = DataBuffer(pattern(2_000_000))
    let channel = pair.channel
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    let task = Task { try await channel.finishWriting() }
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    #expect(error?.operation == .finishWriting)
    #expect(try await pair.peer.read(length: data.count) == data)
    try await channel.write(DataBuffer([1, 2]))
    #expect(try await pair.peer.read(length: 2).count == 2)
    try await channel.finishWriting()
    #expect(try await pair.peer.readAll().isEmpty)
    try await pair.close()
  }

  @Test("Other files and closed channels have an error", arguments: TestBackend.allCases)
  func errors(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened(.readWrite))
      let error = await #expect(throws: IOChannelError.self) {
        try await place.channel.finishWriting()
      }
      // ENOTSOCK
      #expect(error?.reason.rawValue == 88)
      place.channel.close()
      let closed = await #expect(throws: IOChannelError.self) {
        try await place.channel.finishWriting()
      }
      #expect(closed?.reason == .canceled)
      await place.close()
    }
    let pair = try Pair(backend)
    let data = DataBuffer(pattern(2_000_000))
    let trace = Trace()
    pair.channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    let channel = pair.channel
    let task = Task { try await channel.finishWriting() }
    channel.close(flags: .stop)
    let stopped = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(stopped?.reason == .canceled)
    try await pair.close()
  }
}
