import DataRegions
import IOChannels
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Errors that the kernel reports once (S320)")
struct ReportedOnceTests {
  @Test("A small write reports the reset of its connection", arguments: TestBackend.allCases)
  func resetConnection(backend: TestBackend) async throws {
    let place = try AsyncPlace(backend, .stream, PipeEnds(connection: ()).resetByReader())
    let channel = place.channel
    await channel.isMade()
    let first = await #expect(throws: IOChannelError.self) {
      try await channel.write(DataBuffer(pattern(10)))
    }
    #expect(first?.reason == .connectionReset)
    #expect(first?.transferredCount == 0)
    let second = await #expect(throws: IOChannelError.self) {
      try await channel.write(DataBuffer(pattern(10)))
    }
    #expect(second?.reason == .brokenPipe)
    #expect(try await channel.read(length: 10).isEmpty)
    await place.close()
  }

  @Test("A write with a handler reports it with all bytes", arguments: TestBackend.allCases)
  func handlers(backend: TestBackend) async throws {
    let socket = try PipeEnds(connection: ()).resetByReader()
    let trace = Trace()
    let channel = try backend.channel(.stream, socket, trace)
    await channel.isMade()
    for _ in 0..<2 {
      let data = DataBuffer(pattern(10))
      channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    }
    #expect(
      await trace.entries(2) == [
        .delivery(done: true, bytes: 10, error: .connectionReset),
        .delivery(done: true, bytes: 10, error: .brokenPipe),
      ]
    )
    channel.close()
    await trace.reach(3)
  }

  @Test("A write reports a refused datagram", arguments: TestBackend.allCases)
  func refusedDatagram(backend: TestBackend) async throws {
    let place = try AsyncPlace(backend, .stream, PipeEnds.refusedDatagrams())
    let channel = place.channel
    await channel.isMade()
    let error = await #expect(throws: IOChannelError.self) {
      try await channel.write(DataBuffer(pattern(10)))
    }
    #expect(error?.reason == .connectionRefused)
    await place.close()
  }

  @Test("A read reports a refused datagram", arguments: TestBackend.allCases)
  func readAfterRefusal(backend: TestBackend) async throws {
    let place = try AsyncPlace(backend, .stream, PipeEnds.refusedDatagrams())
    let channel = place.channel
    let error = await #expect(throws: IOChannelError.self) { try await channel.read(upTo: 10) }
    #expect(error?.reason == .connectionRefused)
    await place.close()
  }

  @Test("A relay reports the reset of its destination", arguments: TestBackend.allCases)
  func relay(backend: TestBackend) async throws {
    let pipe = try PipeEnds()
    #expect(try pipe.writing.borrowed.write(pattern(10), 0..<10) == 10)
    let source = try AsyncPlace(backend, .stream, pipe.closeWriting())
    let destination = try AsyncPlace(
      backend,
      .stream,
      PipeEnds(connection: ()).resetByReader()
    )
    let (input, output) = (source.channel, destination.channel)
    let error = await #expect(throws: RelayError.self) { try await input.relay(to: output) }
    #expect(error?.cause.reason == .connectionReset)
    await source.close()
    await destination.close()
  }
}
