import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@Suite("Channels of one descriptor (S11, S14, S32, S130, S131, S134, S162)")
struct SharedDescriptorTests {
  private func send(_ bytes: [UInt8], to descriptor: BorrowedDescriptor) throws {
    #expect(try descriptor.write(bytes, 0..<bytes.count) == bytes.count)
  }

  @Test("Operations of two streams run one after the other", arguments: TestBackend.allCases)
  func streamsOfTwoChannelsTakeTurns(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let first = try backend.channel(.stream, ends.reading, trace, wholeTransfers: true)
    let second = try backend.channel(.stream, ends.reading, trace, wholeTransfers: true)
    first.setLimit(lowWater: 1)
    first.read(offset: 0, length: 8, queue: trace.queue, ioHandler: trace.handler("a"))
    second.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler("b"))
    try send(pattern(5), to: ends.writing.borrowed)
    #expect(await trace.entries(1) == [.delivery(of: "a", done: false, bytes: 5)])
    try send(pattern(5, from: 5), to: ends.writing.borrowed)
    #expect(
      await trace.entries(3) == [
        .delivery(of: "a", done: false, bytes: 5), .delivery(of: "a", done: true, bytes: 3),
        .delivery(of: "b", done: true, bytes: 2),
      ]
    )
    #expect(trace.bytes == pattern(10))
    first.close()
    second.close()
    #expect(await trace.entries(5).suffix(2) == [.cleanup, .cleanup])
  }

  @Test("A barrier waits for operations of other channels", arguments: TestBackend.allCases)
  func aBarrierWaitsForOperationsOfOtherChannels(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let first = try backend.channel(.stream, ends.reading, trace)
    let second = try backend.channel(.stream, ends.reading, trace)
    second.setTarget(queue: trace.queue)
    second.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(1)
    first.read(offset: 0, length: 4, queue: trace.queue) { _, _, _ in }
    second.barrier { trace.add(.barrier) }
    first.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler("a"))
    second.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler("b"))
    // What is on the queue by now has run.
    trace.queue.sync {}
    #expect(trace.entries == [.delivery(done: true, bytes: 0)])
    try send(pattern(4), to: ends.writing.borrowed)
    #expect(
      await trace.entries(3).dropFirst() == [.barrier, .delivery(of: "b", done: true, bytes: 0)]
    )
    try send(pattern(2), to: ends.writing.borrowed)
    #expect(await trace.entries(4).last == .delivery(of: "a", done: true, bytes: 2))
    first.close()
    second.close()
    await trace.reach(6)
  }

  @Test("Cleanups run together, in the order of the channels", arguments: TestBackend.allCases)
  func cleanupsComeTogetherInTheOrderOfTheChannels(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(10), to: "file"))
    let trace = Trace()
    let names = ["a", "b", "c"]
    let channels = try names.map { name in
      IOChannel(
        type: .random,
        fileDescriptor: file.rawValue,
        engine: try backend.engine(),
        queue: trace.queue,
        cleanupHandler: trace.cleanup(name)
      )
    }
    channels[2].close()
    channels[0].close()
    channels[1].read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler("b"))
    #expect(await trace.entries(1) == [.delivery(of: "b", done: true, bytes: 10)])
    channels[1].close()
    #expect(
      await trace.entries(4) == [
        .delivery(of: "b", done: true, bytes: 10), .cleanup(of: "a"), .cleanup(of: "b"),
        .cleanup(of: "c"),
      ]
    )
  }

  @Test("A channel that failed waits for no other", arguments: TestBackend.allCases)
  func aChannelThatFailedWaitsForNoOther(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let (trace, failure) = (Trace(), Trace())
    let good = try backend.channel(.stream, ends.reading, trace)
    good.read(offset: 0, length: 4, queue: trace.queue, ioHandler: trace.handler())
    let bad = try backend.channel(.random, ends.reading, failure)
    #expect(await failure.entries(1) == [.cleanup(error: .illegalSeek)])
    bad.read(offset: 0, length: 1, queue: failure.queue, ioHandler: failure.handler())
    #expect(await failure.entries(2).last == .delivery(done: true, bytes: nil, error: .illegalSeek))
    bad.close()
    bad.read(offset: 0, length: 1, queue: failure.queue, ioHandler: failure.handler())
    #expect(await failure.entries(3).last == .delivery(done: true, bytes: nil, error: .canceled))
    try send(pattern(4), to: ends.writing.borrowed)
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 4)])
    good.close()
    #expect(await trace.entries(2).last == .cleanup)
  }

  @Test("A barrier of a channel that failed keeps its place", arguments: TestBackend.allCases)
  func aBarrierOfAChannelThatFailedKeepsItsPlace(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let (trace, failure) = (Trace(), Trace())
    let good = try backend.channel(.stream, ends.reading, trace)
    good.read(offset: 0, length: 4, queue: trace.queue, ioHandler: trace.handler())
    let bad = try backend.channel(.random, ends.reading, failure)
    #expect(await failure.entries(1) == [.cleanup(error: .illegalSeek)])
    let isSent = BargingLock(false)
    bad.barrier { failure.add(.mark(isSent.withLock { $0 } ? "behind" : "before")) }
    bad.read(offset: 0, length: 1, queue: failure.queue, ioHandler: failure.handler())
    #expect(await failure.entries(2).last == .delivery(done: true, bytes: nil, error: .illegalSeek))
    isSent.withLock { $0 = true }
    try send(pattern(4), to: ends.writing.borrowed)
    #expect(await failure.entries(3).last == .mark("behind"))
    good.close()
    #expect(await trace.entries(2) == [.delivery(done: true, bytes: 4), .cleanup])
  }

  @Test("An operation without bytes waits for barriers only", arguments: TestBackend.allCases)
  func anOperationWithoutBytesWaitsForBarriersOnly(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    let mayEnd = CountingSemaphore(value: 0)
    channel.barrier {
      mayEnd.wait()
      trace.add(.barrier)
    }
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("a"))
    channel.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler("b"))
    channel.write(offset: 0, data: .empty, queue: trace.queue, ioHandler: trace.handler("c"))
    mayEnd.signal()
    #expect(
      await trace.entries(3) == [
        .barrier, .delivery(of: "b", done: true, bytes: 0),
        .delivery(of: "c", done: true, bytes: nil),
      ]
    )
    channel.close(flags: .stop)
    #expect(
      await trace.entries(5).suffix(2) == [
        .delivery(of: "a", done: true, bytes: nil, error: .canceled), .cleanup,
      ]
    )
  }

  @Test(
    "Only open channels of one descriptor and engine share their order",
    arguments: TestBackend.allCases
  )
  func onlyOpenChannelsOfOneDescriptorAndEngineShare(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(10), to: "file"))
    let other = try file.borrowed.duplicate()
    let trace = Trace()
    let first = try backend.channel(.random, file, trace)
    let same = try backend.channel(.stream, file, trace)
    let copy = try backend.channel(.random, other, trace)
    #expect(first.shares(with: same))
    #expect(!first.shares(with: copy))
    let engine = Engine(setting: "threads")
    let elsewhere = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    #expect(!first.shares(with: elsewhere))
    for channel in [first, same, copy, elsewhere] { channel.close() }
    await trace.reach(4)
    let later = try backend.channel(.random, file, trace)
    #expect(!first.shares(with: later))
    later.close()
    await trace.reach(5)
  }

  @Test("Reads and writes of a file run one after the other", arguments: TestBackend.allCases)
  func readsAndWritesOfAFileTakeTurns(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(10), to: "file"), .readWrite)
    let trace = Trace()
    let reader = try backend.channel(.stream, file, trace)
    let writer = try backend.channel(.stream, file, trace)
    let data = DataBuffer([1, 2, 3])
    reader.read(offset: 7, length: 4, queue: trace.queue, ioHandler: trace.handler("a"))
    writer.write(offset: 7, data: data, queue: trace.queue, ioHandler: trace.handler("b"))
    reader.read(offset: 7, length: 3, queue: trace.queue, ioHandler: trace.handler("c"))
    #expect(
      await trace.entries(3) == [
        .delivery(of: "a", done: true, bytes: 4), .delivery(of: "b", done: true, bytes: nil),
        .delivery(of: "c", done: true, bytes: 3),
      ]
    )
    #expect(trace.bytes == pattern(4) + pattern(3, from: 7))
    #expect(try file.borrowed.position() == 10)
    reader.close()
    writer.close()
    await trace.reach(5)
  }
}

@Suite("Creation of channels (S4, S10, S13, S133)")
struct CreationTests {
  @Test("A descriptor that does not answer delays no other")
  func aDescriptorThatDoesNotAnswerHoldsNobodyUp() async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(10), to: "file"))
    try file.borrowed.setPosition(3)
    let mayAnswer = CountingSemaphore(value: 0)
    let pool = BlockingPool(name: "held", width: 1, maximum: 1)
    pool.submit { mayAnswer.wait() }
    let kinds = RequestKinds()
    let engine = Engine(setting: "threads", pool: pool, observer: kinds)
    let trace = Trace()
    let channel = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    channel.read(offset: 0, length: 4, queue: trace.queue, ioHandler: trace.handler("a"))
    channel.barrier { trace.add(.barrier) }
    channel.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler("b"))
    channel.close()
    // The one look at the descriptor is all that was begun.
    #expect(kinds.all == [.status])
    #expect(trace.entries.isEmpty)
    // Everything is as if the answer had come at once.
    try file.borrowed.setPosition(6)
    mayAnswer.signal()
    #expect(
      Set(await trace.entries(4)) == [
        .delivery(of: "a", done: true, bytes: 4), .barrier,
        .delivery(of: "b", done: true, bytes: 0), .cleanup,
      ]
    )
    #expect(trace.bytes == pattern(4, from: 3))
    #expect(engine.becomesIdle())
  }

  @Test("Offsets count from the position at creation", arguments: TestBackend.allCases)
  func offsetsCountFromThePositionAtCreation(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(100), to: "file"))
    try file.borrowed.setPosition(10)
    let trace = Trace()
    let channel = try backend.channel(.random, file, trace)
    let stream = try backend.channel(.stream, file, trace)
    stream.read(offset: 0, length: 20, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(1)
    channel.read(offset: 5, length: 10, queue: trace.queue, ioHandler: trace.handler())
    channel.read(offset: -11, length: 10, queue: trace.queue, ioHandler: trace.handler())
    #expect(
      Set(await trace.entries(3)) == [
        .delivery(done: true, bytes: 20), .delivery(done: true, bytes: 10),
        .delivery(done: true, bytes: nil, error: .invalidArgument),
      ]
    )
    #expect(trace.bytes == pattern(20, from: 10) + pattern(10, from: 15))
    #expect(try file.borrowed.position() == 30)
    channel.close()
    stream.close()
    await trace.reach(5)
  }
}
