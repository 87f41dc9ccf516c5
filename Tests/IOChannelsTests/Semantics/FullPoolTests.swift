import DataRegions
import Foundation
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

/// Each test has a process of its own, because it blocks every shared worker.
@Suite("Operations beside a full pool of workers (S38)")
struct FullPoolTests {
  /// Blocks the shared workers for good, and gives up on the process if it hangs.
  private static func blockEveryWorker() {
    alarm(60)
    let begun = WorkGroup()
    // One thread of 255 watches for blocked ones, so one of these items waits.
    for _ in 0..<254 { begun.enter() }
    let first = CountingSemaphore(value: 254)
    let never = CountingSemaphore(value: 0)
    for _ in 0..<255 {
      WorkQueue.global().async {
        if first.wait(timeout: .now()) == .success { begun.leave() }
        never.wait()
      }
    }
    // The calling thread may wait: it is none of the workers.
    let isFull: () -> WaitResult = { begun.wait(timeout: .distantFuture) }
    #expect(isFull() == .success)
  }

  private static func awaitOperations(_ backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    // More than is read at once by the task's own thread.
    let bytes = pattern(300_000)
    let path = try directory.write(bytes, to: "file")
    let engine = Engine(setting: backend.setting)
    let pipe = try PipeEnds()
    blockEveryWorker()
    try await IOChannel.withOpen(BytePath(path), .readWrite, type: .random, engine: engine) {
      channel in
      #expect([UInt8](try await channel.read(length: .max)) == bytes)
      #expect([UInt8](try await channel.read(length: 5, at: 7)) == Array(bytes[7..<12]))
      try await channel.write(DataBuffer(bytes), at: 300_000)
      try await channel.synchronize()
      try await channel.truncate(toLength: 400_000)
      var count = 0
      for try await region in channel.chunks(in: 0..<400_000) { count += region.count }
      #expect(count == 400_000)
    }
    let reader = channel(of: pipe.reading, engine)
    let writer = channel(of: pipe.writing, engine)
    async let received = reader.read(upTo: 10)
    // The read waits by then, or not yet; both have to end.
    await Task.yield()
    try await writer.write(DataBuffer([1, 2, 3]))
    #expect([UInt8](try await received) == [1, 2, 3])
    for channel in [reader, writer] { channel.close() }
  }

  private static func channel(of end: borrowing OwnedDescriptor, _ engine: Engine) -> IOChannel {
    IOChannel(
      type: .stream,
      fileDescriptor: end.rawValue,
      engine: engine,
      queue: WorkQueue(label: "cleanup")
    ) { _ in }
  }

  /// Has handlers called on a queue of their own, which nothing blocks.
  private static func callHandlers(_ backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let bytes = pattern(300_000)
    let file = try openFile(try directory.write(bytes, to: "file"), .readWrite)
    let pipe = try PipeEnds()
    blockEveryWorker()
    let trace = Trace()
    let channel = try backend.channel(.random, file, trace)
    channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler("small"))
    #expect(await trace.entries(1) == [.delivery(of: "small", done: true, bytes: 10)])
    channel.setLimit(lowWater: .max)
    channel.read(offset: 0, length: 300_000, queue: trace.queue, ioHandler: trace.handler("all"))
    #expect(await trace.entries(2).last == .delivery(of: "all", done: true, bytes: 300_000))
    channel.close()
    #expect(await trace.entries(3).last == .cleanup)
    let (sink, source) = (Trace(), Trace())
    let reader = try backend.channel(.stream, pipe.reading, sink)
    reader.setLimit(lowWater: 1)
    reader.read(offset: 0, length: 3, queue: sink.queue, ioHandler: sink.handler())
    let writer = try backend.channel(.stream, pipe.writing, source)
    let data = DataBuffer([1, 2, 3])
    writer.write(offset: 0, data: data, queue: source.queue, ioHandler: source.handler())
    #expect(await source.entries(1) == [.delivery(done: true, bytes: nil)])
    #expect(await sink.entries(1) == [.delivery(done: true, bytes: 3)])
    reader.close()
    writer.close()
    #expect(await sink.entries(2).last == .cleanup)
    #expect(await source.entries(2).last == .cleanup)
  }

  @Test("With every worker blocked a task continues after operations of a ring (S38)")
  func aTaskGoesOnAfterOperationsOfARing() async throws {
    try Need.ring.orSkip()
    await #expect(processExitsWith: .success) { try await FullPoolTests.awaitOperations(.ring) }
  }

  @Test("With every worker blocked a task continues after operations of threads (S38)")
  func aTaskGoesOnAfterOperationsOfThreads() async {
    await #expect(processExitsWith: .success) { try await FullPoolTests.awaitOperations(.threads) }
  }

  @Test("With every worker blocked handlers of another queue are called on a ring (S38)")
  func handlersOfAnotherQueueAreCalledOnARing() async throws {
    try Need.ring.orSkip()
    await #expect(processExitsWith: .success) { try await FullPoolTests.callHandlers(.ring) }
  }

  @Test("With every worker blocked handlers of another queue are called on threads (S38)")
  func handlersOfAnotherQueueAreCalledOnThreads() async {
    await #expect(processExitsWith: .success) { try await FullPoolTests.callHandlers(.threads) }
  }
}
