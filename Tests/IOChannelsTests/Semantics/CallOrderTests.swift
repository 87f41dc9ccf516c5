import IOChannels
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Order of operations and handlers (S10, S14, S27, S30, S38, S134, S162)")
struct CallOrderTests {
  @Test("Nothing is reported before the call returns", arguments: TestBackend.allCases)
  func nothingIsReportedBeforeTheCallReturns(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let engine = try backend.engine()
    let failed = try backend.channel(.random, ends.reading, trace)
    #expect(await trace.entries(1) == [.cleanup(error: .illegalSeek)])
    #expect(try ends.writing.borrowed.write([1], 0..<1) == 1)
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.setTarget(queue: trace.queue)
    // The queue of all handlers is busy with the calls themselves.
    let before = trace.queue.sync {
      failed.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("failed"))
      channel.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler("none"))
      channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("one"))
      channel.barrier { trace.add(.barrier) }
      channel.close()
      channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("late"))
      IOChannel.read(
        fromFileDescriptor: 99_996,
        maxLength: 1,
        engine: engine,
        runningHandlerOn: trace.queue
      ) { data, error in
        let error = SystemError(errno: error)
        trace.add(.transfer(of: "once", bytes: data.count, error: error))
      }
      return trace.entries
    }
    #expect(before == [.cleanup(error: .illegalSeek)])
    let expected: [TraceEntry] = [
      .barrier, .cleanup, .cleanup(error: .illegalSeek),
      .delivery(of: "failed", done: true, bytes: nil, error: .illegalSeek),
      .delivery(of: "late", done: true, bytes: nil, error: .canceled),
      .delivery(of: "none", done: true, bytes: 0),
      .delivery(of: "one", done: true, bytes: 1),
      .transfer(of: "once", bytes: 0, error: .badFileDescriptor),
    ]
    #expect(await trace.entries(expected.count).counts == expected.counts)
  }

  @Test("A barrier does not wait for handlers", arguments: TestBackend.allCases)
  func aBarrierDoesNotWaitForHandlers(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(10), to: "file"))
    let trace = Trace()
    let channel = try backend.channel(.random, file, trace)
    let hasRun = CountingSemaphore(value: 0)
    channel.read(offset: 0, length: 10, queue: WorkQueue(label: "slow")) { _, _, _ in
      // Without the barrier it goes on some time.
      let result = hasRun.wait(timeout: .now() + .seconds(20))
      trace.add(.mark(result == .success ? "handler" : "handler alone"))
    }
    channel.barrier {
      trace.add(.barrier)
      hasRun.signal()
    }
    #expect(await trace.entries(2) == [.barrier, .mark("handler")])
    channel.close()
    #expect(await trace.entries(3).last == .cleanup)
  }

  /// Some two thousand deliveries on a queue that would run them side by side.
  @Test("Handlers of one operation follow each other", arguments: TestBackend.allCases)
  func handlersOfOneOperationFollowEachOther(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let content = pattern(2000)
    let file = try openFile(directory.write(content, to: "file"))
    let trace = Trace()
    let channel = try backend.channel(.stream, file, trace)
    channel.setLimit(highWater: 1)
    let queue = WorkQueue(label: "handlers", attributes: .concurrent)
    let calls = BargingLock((inside: 0, overlaps: 0, bytes: [UInt8]()))
    channel.read(offset: 0, length: content.count, queue: queue) { _, data, _ in
      calls.withLock { calls in
        if calls.inside > 0 { calls.overlaps += 1 }
        calls.inside += 1
      }
      let bytes = [UInt8](data ?? .empty)
      calls.withLock { calls in
        calls.inside -= 1
        calls.bytes += bytes
      }
    }
    channel.close()
    #expect(await trace.entries(1) == [.cleanup])
    #expect(calls.withLock(\.overlaps) == 0)
    #expect(calls.withLock(\.bytes) == content)
  }

  /// What is read while the first call lasts must not come before what that call submits.
  @Test("A long read admits other work of its queue", arguments: TestBackend.allCases)
  func aLongReadLetsOtherWorkOfItsQueueIn(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.setLimit(highWater: 1)
    let calls = BargingLock((count: 0, before: 0))
    let mayReturn = CountingSemaphore(value: 0)
    channel.read(offset: 0, length: 24, queue: trace.queue) { _, _, _ in
      let isFirst = calls.withLock { calls in
        calls.count += 1
        return calls.count == 1
      }
      guard isFirst else { return }
      trace.queue.async { calls.withLock { $0.before = $0.count } }
      trace.add(.mark("first"))
      mayReturn.wait()
    }
    #expect(try ends.writing.borrowed.write(pattern(1), 0..<1) == 1)
    #expect(await trace.entries(1) == [.mark("first")])
    await fill(ends, 23)
    mayReturn.signal()
    channel.close()
    #expect(await trace.entries(2).last == .cleanup)
    let (count, before) = calls.withLock { $0 }
    #expect(count >= 24 && before == 1, "\(before) of \(count) calls came before")
  }

  /// What two reads deliver while a call of the first one lasts.
  @Test("The next read is reported after all of the first one", arguments: TestBackend.allCases)
  func theNextReadIsHeardOfBehindAllOfTheFirst(backend: TestBackend) async throws {
    for _ in 0..<20 {
      let ends = try PipeEnds()
      let trace = Trace()
      let channel = try backend.channel(.stream, ends.reading, trace)
      channel.setLimit(highWater: 1)
      let calls = BargingLock([String]())
      let mayReturn = CountingSemaphore(value: 0)
      for (name, length) in [("a", 8), ("b", 4)] {
        channel.read(offset: 0, length: length, queue: trace.queue) { _, data, _ in
          let isFirst = calls.withLock { calls in
            calls += data?.isEmpty == false ? [name] : []
            return calls.count == 1
          }
          guard isFirst else { return }
          trace.add(.mark("first"))
          mayReturn.wait()
        }
      }
      #expect(try ends.writing.borrowed.write(pattern(1), 0..<1) == 1)
      #expect(await trace.entries(1) == [.mark("first")])
      await fill(ends, 11)
      mayReturn.signal()
      channel.close()
      #expect(await trace.entries(2).last == .cleanup)
      #expect(
        calls.withLock { $0 }
          == [String](repeating: "a", count: 8) + [String](repeating: "b", count: 4)
      )
    }
  }

  /// The last answer to the first read comes before its delivery has a place in the queue.
  @Test("The next read waits until all of the first one is queued")
  func theNextReadWaitsForAllOfTheFirstToHaveTheirPlace() async throws {
    let ends = try PipeEnds()
    #expect(try ends.writing.borrowed.write(pattern(4), 0..<4) == 4)
    let trace = Trace()
    let engine = Engine(
      simulatedBy: HastyBackend(),
      queue: .global(),
      sizes: TransferSizes(),
      budget: .shared
    )
    let channel = IOChannel(
      type: .stream,
      fileDescriptor: ends.reading.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    channel.setLimit(highWater: 1)
    let mayBegin = CountingSemaphore(value: 0)
    channel.barrier { mayBegin.wait() }
    for name in ["a", "b"] {
      channel.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler(name))
    }
    mayBegin.signal()
    channel.close()
    #expect(
      await trace.entries(5) == [
        .delivery(of: "a", done: false, bytes: 1), .delivery(of: "a", done: true, bytes: 1),
        .delivery(of: "b", done: false, bytes: 1), .delivery(of: "b", done: true, bytes: 1),
        .cleanup,
      ]
    )
  }

  /// Writes bytes into a pipe and waits until they were read; nearly all are delivered then.
  private func fill(_ ends: borrowing PipeEnds, _ count: Int) async {
    _ = try? ends.writing.borrowed.write(pattern(count), 0..<count)
    while ends.reading.borrowed.isReadable { await Task.yield() }
    for _ in 0..<20 { await Task.yield() }
  }

  @Test("A stop ends only operations of its own channel", arguments: TestBackend.allCases)
  func aStopEndsOnlyWhatItsOwnChannelHas(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let first = try backend.channel(.stream, ends.reading, trace)
    let second = try backend.channel(.stream, ends.reading, trace)
    first.read(offset: 0, length: 4, queue: trace.queue, ioHandler: trace.handler("a"))
    second.read(offset: 0, length: 4, queue: trace.queue, ioHandler: trace.handler("b"))
    first.close()
    first.close(flags: .stop)
    #expect(
      await trace.entries(1) == [.delivery(of: "a", done: true, bytes: nil, error: .canceled)]
    )
    #expect(try ends.writing.borrowed.write(pattern(4), 0..<4) == 4)
    #expect(await trace.entries(2).last == .delivery(of: "b", done: true, bytes: 4))
    second.close()
    #expect(await trace.entries(4).suffix(2) == [.cleanup, .cleanup])
  }

  /// While the only thread is busy nothing that was begun can end.
  @Test("Many transfers of a file are in flight at a time")
  func manyTransfersOfAFileAreUnderWayAtATime() async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory("file"), [.readWrite, .create])
    try file.borrowed.setSize(16 << 20)
    let trace = Trace()
    let kinds = RequestKinds()
    let pool = BlockingPool(name: "busy", width: 1, maximum: 1)
    let sizes = TransferSizes(atOnce: 0, peerAtOnce: 0)
    let engine = Engine(setting: "threads", pool: pool, sizes: sizes, observer: kinds)
    let channel = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    channel.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(1)
    let mayEnd = CountingSemaphore(value: 0)
    pool.submit { mayEnd.wait() }
    channel.read(offset: 0, length: .max, queue: trace.queue) { _, _, _ in }
    #expect(kinds.all.count { $0 == .read } == 4)
    let before = kinds.all.count
    for number in 0..<100 {
      channel.read(offset: Int64(number), length: 1, queue: trace.queue) { _, _, _ in }
    }
    #expect(kinds.all.count == before + 100)
    mayEnd.signal()
    channel.close()
    #expect(await trace.entries(2).last == .cleanup)
    #expect(engine.becomesIdle())
  }

  @Test(
    "The cleanup of a failed channel waits for its operations",
    arguments: TestBackend.allCases,
    [false, true]
  )
  func theCleanupOfAChannelThatFailedWaitsForWhatItHas(
    backend: TestBackend,
    barrierEndsFirst: Bool
  ) async throws {
    if backend == .ring { try Need.ring.orSkip() }
    let ends = try PipeEnds()
    let trace = Trace()
    let mayLook = CountingSemaphore(value: 0)
    let pool = BlockingPool(name: "look", width: 1, maximum: 1)
    pool.submit { mayLook.wait() }
    let engine = Engine(setting: backend.setting, pool: pool)
    let channel = IOChannel(
      type: .random,
      fileDescriptor: ends.reading.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    // Nobody knows yet that it fails.
    let (hasBegun, mayEnd) = (CountingSemaphore(value: 0), CountingSemaphore(value: 0))
    let mayReturn = CountingSemaphore(value: 0)
    channel.read(offset: 0, length: 1, queue: WorkQueue(label: "slow")) { isDone, data, error in
      mayReturn.wait()
      trace.handler("slow")(isDone, data, error)
    }
    channel.barrier {
      hasBegun.signal()
      mayEnd.wait()
      trace.add(.barrier)
    }
    mayLook.signal()
    try await hasBegun.acquire()
    // The failure is known now, and what follows from it has been called before this is answered.
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("a"))
    #expect(
      await trace.entries(1) == [.delivery(of: "a", done: true, bytes: nil, error: .illegalSeek)]
    )
    (barrierEndsFirst ? mayEnd : mayReturn).signal()
    let read = TraceEntry.delivery(of: "slow", done: true, bytes: nil, error: .illegalSeek)
    let order: [TraceEntry] = barrierEndsFirst ? [.barrier, read] : [read, .barrier]
    await trace.reach(2)
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("b"))
    #expect(
      await trace.entries(3) == [
        .delivery(of: "a", done: true, bytes: nil, error: .illegalSeek), order[0],
        .delivery(of: "b", done: true, bytes: nil, error: .illegalSeek),
      ]
    )
    (barrierEndsFirst ? mayReturn : mayEnd).signal()
    #expect(await trace.entries(5).suffix(2) == [order[1], .cleanup(error: .illegalSeek)])
    #expect(engine.becomesIdle())
  }
}

/// Answers reads while they are submitted, as another thread may by chance; their bytes must be
/// there.
private final class HastyBackend: Backend {
  private let threads = ThreadBackend(pool: .transfers, statistics: Statistics())

  func submit(_ request: Request) {
    guard request.kind == .read else { return threads.submit(request) }
    request.end(request.call(waits: false))
  }

  func cancel(_ request: Request) { threads.cancel(request) }
}
