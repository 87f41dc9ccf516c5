import DataRegions
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Packets and messages (S321)")
struct PacketTests {
  // The simulator would cut packets itself.

  /// More than a step, in packets after which no step ends.
  private static let bytes = pattern(1_250_000)

  /// Writes all bytes in parts of a length, and closes the end.
  private static func send(_ length: Int, to end: consuming OwnedDescriptor) throws {
    let number = end.release()
    try PlatformThread.start(name: "sends") {
      let end = OwnedDescriptor(owning: number)
      var start = 0
      while start < bytes.count {
        let part = start..<min(start + length, bytes.count)
        guard let count = try? end.borrowed.write(bytes, part), count == part.count else { return }
        start = part.upperBound
      }
    }
  }

  private static func packets() throws -> OwnedDescriptor {
    let ends = try PipeEnds(packets: ()).handedOut()
    try send(5000, to: OwnedDescriptor(owning: ends.writing))
    return OwnedDescriptor(owning: ends.reading)
  }

  @Test("All bytes of packets are read", arguments: TestBackend.real)
  func pipe(backend: TestBackend) async throws {
    let place = try AsyncPlace(backend, .stream, Self.packets())
    let channel = place.channel
    let isEqual = try await channel.readAll() == DataBuffer(Self.bytes)
    #expect(isEqual)
    await place.close()
  }

  @Test("Water marks cut no packet", arguments: TestBackend.real, [1, 1000, 5000])
  func waterMarks(backend: TestBackend, highWater: Int) async throws {
    let descriptor = try Self.packets()
    let trace = Trace()
    let channel = try backend.channel(.stream, descriptor, trace)
    channel.setLimit(highWater: highWater)
    channel.read(offset: 0, length: 20_000, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach { $0.entries.last?.isDone == true }
    let isEqual = trace.bytes == Array(Self.bytes[..<20_000])
    #expect(isEqual)
    #expect(trace.entries.allSatisfy { ($0.bytes ?? 0) <= highWater })
    channel.close()
    await trace.reach { $0.entries.last == .cleanup }
  }

  @Test("A reader that begins in a packet returns its rest", arguments: TestBackend.real)
  func range(backend: TestBackend) async throws {
    let place = try AsyncPlace(backend, .stream, Self.packets())
    let reader = ChannelReader(place.channel, in: 100...)
    let isEqual = try await reader.readAll() == DataBuffer(Self.bytes[100...])
    #expect(isEqual)
    await place.close()
  }

  @Test("A relay moves all bytes of packets", arguments: TestBackend.real)
  func relay(backend: TestBackend) async throws {
    let ends = try PipeEnds().handedOut()
    let source = try AsyncPlace(backend, .stream, Self.packets())
    let destination = try AsyncPlace(backend, .stream, OwnedDescriptor(owning: ends.writing))
    let drain = try AsyncPlace(backend, .stream, OwnedDescriptor(owning: ends.reading))
    let (input, middle, end) = (source.channel, destination.channel, drain.channel)
    async let moved = input.relay(to: middle)
    let isEqual = try await end.read(length: Self.bytes.count) == DataBuffer(Self.bytes)
    #expect(isEqual)
    let count = try await moved
    #expect(count == Self.bytes.count)
    await source.close()
    await destination.close()
    await drain.close()
  }

  @Test("All bytes of messages are read", arguments: TestBackend.real, [false, true])
  func messages(backend: TestBackend, relays: Bool) async throws {
    let ends = try PipeEnds(socketsWithMessages: true).handedOut()
    try Self.send(125_000, to: OwnedDescriptor(owning: ends.writing))
    let place = try AsyncPlace(backend, .stream, OwnedDescriptor(owning: ends.reading))
    let channel = place.channel
    if relays {
      let file = try FileOfBytes([])
      let destination = try AsyncPlace(backend, .stream, file.opened(.writeOnly))
      let output = destination.channel
      // The last read of a relay has room for what is left only.
      #expect(try await channel.relay(to: output, count: Self.bytes.count) == Self.bytes.count)
      let isEqual = try file.bytes() == Self.bytes
      #expect(isEqual)
      await destination.close()
    } else {
      let isEqual = try await channel.read(length: Self.bytes.count) == DataBuffer(Self.bytes)
      #expect(isEqual)
    }
    await place.close()
  }
}
