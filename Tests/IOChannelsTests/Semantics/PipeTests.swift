import IOChannels
import IOChannelsTestSupport
import Testing

private func send(_ bytes: [UInt8], to descriptor: BorrowedDescriptor) throws {
  let count = try descriptor.write(bytes, 0..<bytes.count)
  #expect(count == bytes.count)
}

@Suite("Streams with a slow peer (S11, S19, S20, S23, S28 to S31, S33, S37 to S39)")
struct PipeTests {
  @Test("A low-water mark holds bytes back until the end", arguments: TestBackend.allCases)
  func lowWaterHoldsBytesBackUntilTheEnd(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    for start in [0, 5] {
      try send(pattern(5, from: start), to: ends.writing.borrowed)
      // Each part comes by itself.
      while ends.reading.borrowed.isReadable { await Task.yield() }
    }
    let reading = ends.closeWriting()
    #expect(
      await trace.entries(2) == [
        .delivery(done: false, bytes: 10), .delivery(done: true, bytes: 0),
      ]
    )
    #expect(trace.bytes == pattern(10))
    channel.close()
    #expect(await trace.entries(3).last == .cleanup)
    _ = reading.rawValue
  }

  @Test("A low-water mark of one delivers bytes as they arrive", arguments: TestBackend.allCases)
  func lowWaterOfOneDeliversWhatComes(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.setLimit(lowWater: 1)
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    try send(pattern(5), to: ends.writing.borrowed)
    #expect(await trace.entries(1) == [.delivery(done: false, bytes: 5)])
    try send(pattern(5, from: 5), to: ends.writing.borrowed)
    #expect(
      await trace.entries(2) == [
        .delivery(done: false, bytes: 5), .delivery(done: false, bytes: 5),
      ]
    )
    let reading = ends.closeWriting()
    #expect(await trace.entries(3).last == .delivery(done: true, bytes: 0))
    #expect(trace.bytes == pattern(10))
    channel.close()
    await trace.reach(4)
    _ = reading.rawValue
  }

  @Test("Reads of a stream run one after the other", arguments: TestBackend.allCases)
  func readsOfAStreamTakeTurns(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 8, queue: trace.queue, ioHandler: trace.handler("a"))
    channel.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler("b"))
    channel.close()
    try send(pattern(10), to: ends.writing.borrowed)
    #expect(
      await trace.entries(3) == [
        .delivery(of: "a", done: true, bytes: 8), .delivery(of: "b", done: true, bytes: 2),
        .cleanup,
      ]
    )
    #expect(trace.bytes == pattern(10))
  }

  @Test("A stop ends waiting reads in order", arguments: TestBackend.allCases)
  func stopEndsWaitingReadsInOrder(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    for name in ["a", "b", "c"] {
      channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler(name))
    }
    channel.close(flags: .stop)
    #expect(
      await trace.entries(4) == [
        .delivery(of: "a", done: true, bytes: nil, error: .canceled),
        .delivery(of: "b", done: true, bytes: nil, error: .canceled),
        .delivery(of: "c", done: true, bytes: nil, error: .canceled), .cleanup,
      ]
    )
  }

  @Test("A stop after a close still stops", arguments: TestBackend.allCases)
  func stopAfterCloseStillStops(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    channel.close()
    channel.close(flags: .stop)
    #expect(
      await trace.entries(2) == [.delivery(done: true, bytes: nil, error: .canceled), .cleanup]
    )
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    channel.write(
      offset: 0,
      data: DataBuffer([1, 2]),
      queue: trace.queue,
      ioHandler: trace.handler()
    )
    #expect(
      await trace.entries(4).suffix(2) == [
        .delivery(done: true, bytes: nil, error: .canceled),
        .delivery(done: true, bytes: 2, error: .canceled),
      ]
    )
  }

  @Test("A channel that is released still reads", arguments: TestBackend.allCases)
  func aChannelLetGoOfStillReads(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    do {
      let channel = try backend.channel(.stream, ends.reading, trace)
      channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    }
    #expect(trace.entries.isEmpty)
    try send(pattern(10), to: ends.writing.borrowed)
    #expect(await trace.entries(2) == [.delivery(done: true, bytes: 10), .cleanup])
  }

  @Test("A lost reader is reported at once", arguments: TestBackend.allCases)
  func aLostReaderIsToldAtOnce(backend: TestBackend) async throws {
    let writing = try PipeEnds().loseReader()
    let trace = Trace()
    let channel = try backend.channel(.stream, writing, trace)
    let data = DataBuffer(pattern(100))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 100, error: .brokenPipe)])
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(2).last == .delivery(done: true, bytes: 100, error: .brokenPipe))
    channel.close()
    #expect(await trace.entries(3).last == .cleanup)
  }

  @Test("A write to a slow reader reports fewer and fewer bytes", arguments: TestBackend.allCases)
  func aWriteToASlowReaderTellsOfLessAndLess(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    channel.setLimit(lowWater: 1)
    let data = DataBuffer(pattern(300_000))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    channel.close()
    // What fits into the pipe is reported while nobody reads.
    var entries = await trace.entries(1)
    var bytes = [UInt8](repeating: 0, count: 20_000)
    var count = 0
    while count < 300_000 { count += try ends.reading.borrowed.read(into: &bytes) }
    while entries.last != .cleanup { entries = await trace.entries(entries.count + 1) }
    #expect(entries.suffix(2) == [.delivery(done: true, bytes: nil), .cleanup])
    let rests = entries.dropLast(2).map { $0.bytes ?? -1 }
    #expect(!rests.isEmpty && rests.allSatisfy { $0 > 0 && $0 < 300_000 }, "\(entries)")
    #expect(zip(rests, rests.dropFirst()).allSatisfy { $0 > $1 }, "\(entries)")
  }

  @Test("Transfers run while every worker is blocked", arguments: TestBackend.allCases)
  func transfersGoOnWhileEveryWorkerIsBlocked(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let pool = WorkerPool(name: "blocked", width: 2, maximumThreadCount: 2)
    let (mayEnd, queue) = (CountingSemaphore(value: 0), WorkQueue(label: "own", pool: pool))
    for number in 0..<2 {
      WorkQueue(label: "\(number)", pool: pool).async { mayEnd.wait() }
    }
    let channel = try backend.channel(.stream, ends.writing, trace)
    for _ in 0..<3 {
      let data = DataBuffer(pattern(1000))
      channel.write(offset: 0, data: data, queue: queue, ioHandler: trace.handler())
    }
    // No handler can run, and all bytes arrive.
    var bytes = [UInt8](repeating: 0, count: 3000)
    var count = 0
    while count < 3000 { count += try ends.reading.borrowed.read(into: &bytes) }
    #expect(trace.entries.isEmpty)
    for _ in 0..<2 { mayEnd.signal() }
    #expect(
      await trace.entries(3) == [
        .delivery(done: true, bytes: nil), .delivery(done: true, bytes: nil),
        .delivery(done: true, bytes: nil),
      ]
    )
    channel.close()
    await trace.reach(4)
  }

  @Test("A write that fills the pipe continues when it is read", arguments: TestBackend.allCases)
  func aWriteThatFillsThePipeGoesOnWhenItIsRead(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let count = 3 << 20
    let (writes, reads) = (Trace(), Trace())
    let writer = try backend.channel(.stream, ends.writing, writes)
    let reader = try backend.channel(.stream, ends.reading, reads)
    let data = DataBuffer(pattern(count))
    writer.write(offset: 0, data: data, queue: writes.queue, ioHandler: writes.handler())
    reader.setLimit(lowWater: .max)
    reader.read(offset: 0, length: count, queue: reads.queue, ioHandler: reads.handler())
    #expect(await reads.entries(1) == [.delivery(done: true, bytes: count)])
    #expect(reads.bytes == pattern(count))
    writer.close()
    reader.close()
    await writes.reach { $0.entries.last == .cleanup }
    #expect(writes.entries.dropLast().last == .delivery(done: true, bytes: nil))
    await reads.reach(2)
  }

  @Test("The O_NONBLOCK flag of the caller is not changed", arguments: TestBackend.allCases)
  func theUsersNonBlockingFlagIsLeftAlone(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    try ends.reading.borrowed.setStatusFlags(.nonBlocking)
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 4, queue: trace.queue, ioHandler: trace.handler())
    #expect(try ends.reading.borrowed.statusFlags().contains(.nonBlocking))
    #expect(try !ends.writing.borrowed.statusFlags().contains(.nonBlocking))
    try send(pattern(4), to: ends.writing.borrowed)
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 4)])
    channel.close()
    await trace.reach(2)
  }
}
