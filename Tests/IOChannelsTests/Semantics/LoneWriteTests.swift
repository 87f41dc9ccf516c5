import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Writes alone and beside others")
struct LoneWriteTests {
  private static let length = 64 << 10

  /// What the engine has done when four writes have ended, each behind a barrier or all behind one.
  private func countsOfWrites(oneAtATime: Bool) async throws -> EngineCounts {
    try Need.loop.orSkip()
    let image = try LoopImage(.ext4, megabytes: 32)
    let file = try openFile("\(image.path)/file", [.writeOnly, .create])
    let engine = try TestBackend.ring.makeEngine()
    let (trace, mayBegin) = (Trace(), CountingSemaphore(value: 0))
    let channel = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    channel.barrier { mayBegin.wait() }
    for place in 0..<4 {
      channel.write(
        offset: Int64(place * Self.length),
        data: DataBuffer(pattern(Self.length)),
        queue: trace.queue,
        ioHandler: trace.handler("w")
      )
      if oneAtATime { channel.barrier {} }
    }
    mayBegin.signal()
    channel.close()
    _ = await trace.entries(5)
    return engine.counts
  }

  @Test("Single writes leave the ring")
  func oneAtATimeLeavesTheRing() async throws {
    let counts = try await countsOfWrites(oneAtATime: true)
    #expect(counts.threadBytesWritten == 4 * Self.length)
    #expect(counts.ringBytesWritten == 0)
  }

  @Test("Writes beside others stay on the ring")
  func besideOthersItStays() async throws {
    let counts = try await countsOfWrites(oneAtATime: false)
    // The first one begins before anybody knows of the others.
    #expect(counts.threadBytesWritten == Self.length)
    #expect(counts.ringBytesWritten == 3 * Self.length)
  }
}
