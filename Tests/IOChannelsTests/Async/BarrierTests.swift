import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Barriers that a task awaits (S233)")
struct BarrierTests {
  private struct Failure: Error {}

  @Test(
    "A barrier runs after earlier operations, and its result is returned (S233)",
    arguments: TestBackend.allCases
  )
  func result(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(directory("file"), [.readWrite, .create])
    let trace = Trace()
    let channel = try backend.channel(.random, descriptor, trace)
    for index in 0..<20 {
      channel.write(
        offset: Int64(index * 10),
        data: DataBuffer(pattern(10, from: index * 10)),
        queue: trace.queue,
        ioHandler: { _, _, _ in }
      )
    }
    let file = descriptor.borrowed
    #expect(try await channel.runBarrier { try file.status().size } == 200)
    #expect([UInt8](try await channel.read(length: 200)) == pattern(200))
    await #expect(throws: Failure.self) { try await channel.runBarrier { throw Failure() } }
    channel.close()
    #expect(await trace.entries(1) == [.cleanup])
  }

  @Test(
    "A barrier of a closed channel runs without a descriptor (S233)",
    arguments: TestBackend.allCases
  )
  func closed(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(try directory.write(pattern(10), to: "file"))
    let trace = Trace()
    let channel = try backend.channel(.stream, descriptor, trace)
    #expect(try await channel.runBarrier { channel.fileDescriptor } == descriptor.rawValue)
    channel.close()
    #expect(try await channel.runBarrier { channel.fileDescriptor } == -1)
    await trace.reach(1)
  }

  @Test("A stop does not end the wait for a barrier (S233)", arguments: TestBackend.allCases)
  func stopped(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    // An immediate task has submitted its barrier when this line ends.
    let task = Task.immediate { try await channel.runBarrier { 5 } }
    channel.close(flags: .stop)
    #expect(try await task.value == 5)
    #expect(
      await trace.entries(2) == [.delivery(done: true, bytes: nil, error: .canceled), .cleanup]
    )
    _ = ends.reading.rawValue
  }

  @Test(
    "A barrier that has not started is skipped when its task is cancelled (S233)",
    arguments: TestBackend.allCases
  )
  func cancelled(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 3, queue: trace.queue, ioHandler: trace.handler())
    let task = Task.immediate {
      try await channel.runBarrier { trace.add(.number("barrier", 1)) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(trace.entries == [])
    // The order of the channel continues behind the skipped barrier.
    _ = try ends.writing.borrowed.write(pattern(3), 0..<3)
    try await channel.runBarrier { trace.add(.number("barrier", 2)) }
    await trace.drain()
    #expect(trace.entries.count == 2)
    #expect(trace.entries.contains(.delivery(done: true, bytes: 3)))
    #expect(trace.entries.contains(.number("barrier", 2)))
    channel.close()
    await trace.reach(3)
    _ = ends.reading.rawValue
  }
}
