import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Life of channels (S1 to S3, S14, S28, S31 to S33, S36, S41)")
struct LifetimeTests {
  @Test("A release without a close closes after the operations", arguments: TestBackend.allCases)
  func releaseWithoutCloseIsACloseAfterTheOperations(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(try directory.write(pattern(10), to: "file"))
    let trace = Trace()
    do {
      let channel = try backend.channel(.stream, descriptor, trace)
      channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    }
    #expect(await trace.entries(2) == [.delivery(done: true, bytes: 10), .cleanup])
  }

  @Test("Barriers separate operations", arguments: TestBackend.allCases)
  func barriersSeparateOperations(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(directory("file"), [.readWrite, .create])
    let trace = Trace()
    if backend == .ring { try Need.ring.orSkip() }
    let pool = BlockingPool(name: "busy", width: 1, maximum: 1)
    let engine = Engine(setting: backend.setting, routing: .pool, pool: pool)
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    channel.setTarget(queue: trace.queue)
    channel.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(1)
    let mayGo = CountingSemaphore(value: 0)
    pool.submit { mayGo.wait() }
    let count = 20
    for index in 0..<count {
      channel.write(
        offset: Int64(index * 10),
        data: DataBuffer(pattern(10, from: index * 10)),
        queue: trace.queue,
        ioHandler: { _, _, _ in }
      )
    }
    let file = descriptor.borrowed
    channel.barrier {
      trace.add(.number("size", (try? file.status().size).map { Int($0) } ?? -1))
    }
    channel.read(offset: 0, length: 200, queue: trace.queue, ioHandler: trace.handler())
    // What is on the queue by now has run.
    trace.queue.sync {}
    #expect(trace.entries == [.delivery(done: true, bytes: 0)])
    mayGo.signal()
    #expect(
      await trace.entries(3).dropFirst() == [
        .number("size", 200), .delivery(done: true, bytes: 200),
      ]
    )
    #expect(trace.bytes == pattern(200))
    channel.close()
    #expect(await trace.entries(4).last == .cleanup)
    #expect(channel.fileDescriptor == -1)
    #expect(engine.becomesIdle())
  }

  @Test("Cleanup comes after every handler", arguments: TestBackend.allCases)
  func cleanupComesAfterEveryHandler(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(1000), to: "file")
    let descriptor = try openFile(path)
    let trace = Trace()
    let channel = try backend.channel(.random, descriptor, trace)
    let count = Tier.count(quick: 1_000, full: 20_000)
    let concurrent = WorkQueue(label: "handlers", attributes: .concurrent)
    for index in 0..<count {
      channel.read(
        offset: Int64(index % 1000),
        length: 1,
        queue: concurrent,
        ioHandler: trace.handler()
      )
    }
    channel.close()
    let entries = await trace.entries(count + 1)
    #expect(entries.last == .cleanup)
    #expect(entries.dropLast().allSatisfy { $0 == .delivery(done: true, bytes: 1) })
  }

  @Test(
    "A failed creation gives a channel that reports the reason",
    arguments: TestBackend.allCases
  )
  func failedCreationGivesAChannelThatTellsWhy(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let folder = try openFile(directory.path, .directory)
    let ends = try PipeEnds()
    let cases: [(IOChannel.StreamType, Int32, SystemError)] = [
      (.stream, 99_999, .badFileDescriptor),
      (.stream, folder.rawValue, .isDirectory),
      (.random, ends.reading.rawValue, .illegalSeek),
    ]
    for (kind, number, error) in cases {
      let trace = Trace()
      let channel = IOChannel(
        type: kind,
        fileDescriptor: number,
        engine: try backend.engine(),
        queue: trace.queue,
        cleanupHandler: trace.cleanup()
      )
      channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
      channel.write(
        offset: 0,
        data: DataBuffer([1]),
        queue: trace.queue,
        ioHandler: trace.handler()
      )
      channel.barrier { trace.add(.barrier) }
      let entries = await trace.entries(4)
      #expect(
        Set(entries) == [
          .delivery(done: true, bytes: nil, error: error),
          .delivery(done: true, bytes: 1, error: error), .barrier, .cleanup(error: error),
        ]
      )
    }
  }

  @Test("An error ends only its operation", arguments: TestBackend.allCases)
  func anErrorEndsOnlyItsOperation(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(3 << 20), to: "file")
    let good = try openFile(path)
    let bad = try openFile(path)
    let (reads, writes) = (Trace(), Trace())
    let reader = try backend.channel(.random, good, reads)
    let writer = try backend.channel(.random, bad, writes)
    reader.setLimit(lowWater: .max)
    reader.read(offset: 0, length: 3 << 20, queue: reads.queue, ioHandler: reads.handler())
    writer.write(
      offset: 0,
      data: DataBuffer([1]),
      queue: writes.queue,
      ioHandler: writes.handler()
    )
    #expect(await writes.entries(1) == [.delivery(done: true, bytes: 1, error: .badFileDescriptor)])
    #expect(await reads.entries(1) == [.delivery(done: true, bytes: 3 << 20)])
    // What waits behind it is not taken for done, as that of the same descriptor is not.
    writer.write(
      offset: 0,
      data: DataBuffer([1, 2]),
      queue: writes.queue,
      ioHandler: writes.handler()
    )
    #expect(
      await writes.entries(2).last == .delivery(done: true, bytes: 2, error: .badFileDescriptor)
    )
    // The descriptor is as good as before for what it allows.
    writer.read(offset: 0, length: 1, queue: writes.queue, ioHandler: writes.handler())
    #expect(await writes.entries(3).last == .delivery(done: true, bytes: 1))
    writer.read(offset: -1, length: 1, queue: writes.queue, ioHandler: writes.handler())
    #expect(
      await writes.entries(4).last == .delivery(done: true, bytes: nil, error: .invalidArgument)
    )
    writer.read(offset: 4 << 20, length: 1, queue: writes.queue, ioHandler: writes.handler())
    #expect(await writes.entries(5).last == .delivery(done: true, bytes: 0))
    writer.close()
    #expect(await writes.entries(6).last == .cleanup)
  }

  @Test(
    "Objects of handlers are freed on no thread of the engine (S142)",
    arguments: TestBackend.allCases
  )
  func handlersGoOnTheirQueues(backend: TestBackend) async throws {
    /// Something of a program's, whose end may take long.
    final class Belonging: Sendable {
      let names: ThreadNames

      init(_ names: ThreadNames) {
        self.names = names
        names.expect()
      }

      deinit { names.note() }

      func use() {}
    }
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(try directory.write(pattern(1000), to: "file"))
    let names = ThreadNames()
    let queue = WorkQueue(label: "handlers", attributes: .concurrent)
    let engine = try backend.engine()
    for _ in 0..<20 {
      let last = Belonging(names)
      let channel = IOChannel(
        type: .random,
        fileDescriptor: descriptor.rawValue,
        engine: engine,
        queue: queue
      ) { _ in last.use() }
      for _ in 0..<20 {
        let belonging = Belonging(names)
        channel.read(offset: 0, length: 10, queue: queue) { _, _, _ in belonging.use() }
      }
      let belonging = Belonging(names)
      channel.barrier { belonging.use() }
    }
    try await names.group.completion()
    #expect(names.count == 20 * 22)
    let engineThreads = names.all.filter { $0.hasPrefix("iochannels-") || $0.hasPrefix("io-") }
    #expect(engineThreads.isEmpty)
  }
}
