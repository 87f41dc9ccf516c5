import IOChannels
import RequestEngine
import TestSupport
import Testing

/// A write of which the kernel would make a worker's work goes to a thread of ours when nothing else
/// of the descriptor is under way, and to the ring beside others.
@Suite struct LoneWriteTests {
  private static let length = 64 << 10

  private func counts(
    _ body: (IOChannel) async throws -> Void
  ) async throws -> EngineCounts {
    try Need.loop.orSkip()
    let image = try LoopImage(.ext4, megabytes: 32)
    let file = try openFile("\(image.path)/file", [.writeOnly, .create])
    let engine = try TestBackend.ring.makeEngine()
    let channel = IOChannel(
      kind: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: .global(),
      cleanupHandler: { _ in }
    )
    try await body(channel)
    return engine.counts
  }

  @Test func oneAtATimeLeavesTheRing() async throws {
    let counts = try await counts { channel in
      for place in 0..<4 {
        let data = DataBuffer(pattern(Self.length))
        try await channel.write(data, at: Int64(place * Self.length))
      }
    }
    #expect(counts.threadBytesWritten == 4 * Self.length)
    #expect(counts.ringBytesWritten == 0)
  }

  @Test func besideOthersItStays() async throws {
    let counts = try await counts { channel in
      let (trace, mayBegin) = (Trace(), CountingSemaphore(value: 0))
      // What waits for a barrier begins together.
      channel.barrier { mayBegin.wait() }
      for place in 0..<4 {
        channel.write(
          offset: Int64(place * Self.length),
          data: DataBuffer(pattern(Self.length)),
          queue: trace.queue,
          ioHandler: trace.handler("w\(place)")
        )
      }
      mayBegin.signal()
      _ = await trace.entries(4)
    }
    // The first one begins before anybody knows of the others.
    #expect(counts.threadBytesWritten == Self.length)
    #expect(counts.ringBytesWritten == 3 * Self.length)
  }
}
