import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Memory that tasks hold")
struct HeldMemoryTests {
  /// Bytes that tell when nobody has them any more.
  private func bytes(_ count: Int, _ trace: Trace) -> DataBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 7)
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom { memory in
        unsafe memory.deallocate()
        trace.add(.mark("freed"))
      }
    )
  }

  @Test(
    "A write that was cancelled before it started holds no bytes",
    .timeLimit(.minutes(10)),
    arguments: TestBackend.allCases
  )
  func aWriteThatWasCancelledBeforeItsTurnHoldsNoBytes(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    let freed = Trace()
    let stuck = DataBuffer(pattern(1 << 20))
    channel.write(offset: 0, data: stuck, queue: trace.queue, ioHandler: trace.handler())
    let task = Task { try await channel.write(bytes(100_000, freed)) }
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.transferredCount == 0)
    await freed.reach(1)
    #expect(trace.entries == [])
    channel.close(flags: .stop)
    await trace.reach(2)
    _ = ends.reading.rawValue
    _ = ends.writing.rawValue
  }

  @Test("Small pieces of a writer share memory")
  func smallPiecesOfAWriterShareMemory() async throws {
    let file = try FileOfBytes([])
    let kinds = RequestKinds()
    let engine = Engine(setting: "threads", observer: kinds)
    let path = BytePath(file.path)
    try await IOChannel.withOpen(path, .writeOnly, type: .random, engine: engine) { channel in
      try await channel.withBufferedWriter { writer in
        for number in 0..<5000 {
          let byte = [UInt8(truncatingIfNeeded: number)]
          try await unsafe writer.append(byte.span.bytes)
        }
      }
    }
    #expect(try file.bytes() == (0..<5000).map { UInt8(truncatingIfNeeded: $0) })
    // A system call takes 1024 regions.
    #expect(kinds.all.count { $0 == .write } == 1)
  }

  @Test("A line of many small pieces has few regions", arguments: TestBackend.allCases)
  func aLineOfManySmallPiecesHasFewRegions(backend: TestBackend) async throws {
    let line = [UInt8](repeating: 7, count: 1000)
    let file = try FileOfBytes(line + [10] + line)
    let place = try AsyncPlace(backend, .random, file.opened())
    place.channel.setLimit(highWater: 1)
    let reader = ChannelReader(place.channel)
    for _ in 0..<2 {
      let found = try #require(try await reader.readLine())
      #expect([UInt8](found) == line)
      #expect(found.regions.count < 20)
    }
    #expect(try await reader.readLine() == nil)
    await place.close()
  }

  @Test(
    "Tasks of an executor with one thread never block it",
    .timeLimit(.minutes(10)),
    arguments: TestBackend.allCases
  )
  func tasksOfAnExecutorWithOneThreadNeverBlockIt(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let reader = try backend.channel(.stream, ends.reading, trace)
    let writer = try backend.channel(.stream, ends.writing, trace)
    let pool = WorkerPool(name: "single", width: 1, maximumThreadCount: 1)
    try await withTaskExecutorPreference(pool) {
      // It waits for bytes that a task of the same thread writes.
      async let read = reader.read(length: 300_000)
      for _ in 0..<30 { try await writer.write(DataBuffer(pattern(10_000))) }
      #expect(try await read.count == 300_000)
    }
    reader.close()
    writer.close()
    await trace.reach(2)
    _ = ends.reading.rawValue
    _ = ends.writing.rawValue
  }
}
