import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Writes that a task awaits")
struct WritingTests {
  @Test("All bytes are written at their offset", arguments: TestBackend.allCases)
  func allBytesAreWrittenAtTheirOffset(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    try await place.channel.write(DataBuffer(pattern(2_000_000, from: 100)), at: 100)
    try await place.channel.write(DataBuffer(pattern(100)))
    #expect(try file.bytes() == pattern(2_000_100))
    await place.close()
  }

  @Test("A lost reader is an error with the count", arguments: TestBackend.allCases)
  func aLostReaderIsAnErrorWithTheCount(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    try await channel.write(DataBuffer(pattern(10)))
    let writing = ends.loseReader()
    let error = await #expect(throws: IOChannelError.self) {
      try await channel.write(DataBuffer(pattern(10)))
    }
    #expect(error?.reason == .brokenPipe)
    #expect(error?.transferredCount == 0)
    channel.close()
    await trace.reach(1)
    _ = writing.rawValue
  }

  @Test("A sequence of buffers is written in order", arguments: TestBackend.allCases)
  func aSequenceOfBuffersIsWrittenInOrder(backend: TestBackend) async throws {
    let source = try FileOfBytes(pattern(5_000_000))
    let target = try FileOfBytes([])
    for kind in [IOChannel.StreamType.random, .stream] {
      let from = try AsyncPlace(backend, kind, source.opened())
      let to = try AsyncPlace(backend, kind, target.opened(.readWrite))
      #expect(try await to.channel.writeAll(from.channel.chunks()) == 5_000_000)
      #expect(try target.bytes() == pattern(5_000_000))
      await from.close()
      await to.close()
    }
  }

  @Test("A writer writes in steps and the rest at the end", arguments: TestBackend.allCases)
  func aWriterWritesInStepsAndTheRestAtTheEnd(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    let held = try await place.channel.withBufferedWriter(at: 10, capacity: 1000) { writer in
      for start in stride(from: 0, to: 10_000, by: 7) {
        try await writer.append(DataBuffer(pattern(min(7, 10_000 - start), from: start)))
      }
      return 10_000 - writer.writtenCount
    }
    // Two steps of the capacity and a piece at most were not yet in the file.
    #expect(held <= 2 * 1006)
    #expect(try file.bytes() == [UInt8](repeating: 0, count: 10) + pattern(10_000))
    await place.close()
  }

  @Test("A writer whose closure throws writes no more", arguments: TestBackend.allCases)
  func aWriterWhoseUserThrowsWritesNoMore(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    await #expect(throws: TestFailure.self) {
      try await place.channel.withBufferedWriter(capacity: 100) { writer in
        try await writer.append(DataBuffer(pattern(100)))
        try await writer.flush()
        try await writer.append(DataBuffer(pattern(50, from: 100)))
        throw TestFailure("enough")
      }
    }
    #expect(try file.bytes() == pattern(100))
    await place.close()
  }

  @Test("A writer throws the error of a step", arguments: TestBackend.allCases)
  func aWriterTellsTheErrorOfAStep(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let place = try AsyncPlace(backend, .random, file.opened())
    let error = await #expect(throws: IOChannelError.self) {
      try await place.channel.withBufferedWriter(at: 3, capacity: 10) { writer in
        while true { try await writer.append(DataBuffer(pattern(10))) }
      }
    }
    #expect(error?.reason == .badFileDescriptor)
    #expect(error?.offset == 3)
    await place.close()
  }
}
