import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Requests that move no bytes (S153)")
struct FileOperationTests {
  @Test("A truncation runs between the writes around it", arguments: TestBackend.allCases)
  func aTruncationStandsBetweenTheWritesAroundIt(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened(.readWrite))
      let channel = place.channel
      let trace = Trace()
      let large = DataBuffer(pattern(3_000_000))
      channel.write(offset: 0, data: large, queue: trace.queue, ioHandler: { _, _, _ in })
      async let cut: Void = channel.truncate(toLength: 10)
      try await cut
      #expect(try file.bytes().count == 10)
      try await channel.write(DataBuffer(pattern(5, from: 10)), at: 10)
      try await channel.synchronize()
      try await channel.synchronize(dataOnly: true)
      #expect(try file.bytes().prefix(10) == pattern(10)[...])
      await place.close()
    }
  }

  @Test("An allocation keeps the length if requested", arguments: TestBackend.allCases)
  func allocatingKeepsTheLengthWhenAsked(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    try await place.channel.allocate(0..<100_000, keepingLength: true)
    #expect(try file.bytes() == pattern(10))
    #expect(try place.descriptor.borrowed.status().blocks >= 100_000 / 512)
    try await place.channel.allocate(0..<100_000)
    #expect(try file.bytes().count == 100_000)
    await place.close()
  }

  @Test("Operations on files without a disk are errors", arguments: TestBackend.allCases)
  func whatHasNoDiskIsAnError(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    let error = await #expect(throws: IOChannelError.self) { try await channel.synchronize() }
    #expect(error?.operation == .synchronize)
    #expect(error?.reason == .invalidArgument)
    channel.close()
    let closed = await #expect(throws: IOChannelError.self) {
      try await channel.truncate(toLength: 1)
    }
    #expect(closed?.reason == .canceled)
    await trace.reach(1)
    _ = ends.writing.rawValue
  }

  @Test(
    "The status has the length after all earlier writes (S238)",
    arguments: TestBackend.allCases
  )
  func status(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    for (kind, size) in [(IOChannel.StreamType.random, 3_000_000), (.stream, 4_000_000)] {
      let place = try AsyncPlace(backend, kind, file.opened(.readWrite))
      let channel = place.channel
      let identity = try place.descriptor.borrowed.status().identity
      let trace = Trace()
      let large = DataBuffer(pattern(size))
      channel.write(offset: 0, data: large, queue: trace.queue, ioHandler: { _, _, _ in })
      let status = try await channel.status()
      #expect(status.size == Int64(size))
      #expect(status.kind == .regular)
      #expect(status.identity == identity)
      channel.close()
      let error = await #expect(throws: IOChannelError.self) { try await channel.status() }
      #expect(error?.operation == .status && error?.isCancellation == true)
      await place.close()
    }
    let ends = try PipeEnds()
    let place = try AsyncPlace(backend, .stream, ends.reading.borrowed.duplicate())
    #expect(try await place.channel.status().kind == .fifo)
    await place.close()
  }

  @Test("A waiting operation ends with a stop", arguments: TestBackend.allCases)
  func oneThatWaitsEndsWithAStop(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    let waiting = Task { try await channel.synchronize() }
    let cancelled = Task { try await channel.synchronize() }
    cancelled.cancel()
    await #expect(throws: IOChannelError.self) { try await cancelled.value }
    channel.close(flags: .stop)
    await #expect(throws: IOChannelError.self) { try await waiting.value }
    #expect(
      await trace.entries(2) == [.delivery(done: true, bytes: nil, error: .canceled), .cleanup]
    )
    _ = ends.reading.rawValue
  }
}
