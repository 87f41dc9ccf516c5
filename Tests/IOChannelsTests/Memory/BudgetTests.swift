import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@Suite("Memory of a channel's operations (I11, S115, S116)")
struct BudgetTests {
  private static let mebi = 1 << 20

  private func engine(_ backend: TestBackend, limit: Int) throws -> Engine {
    try backend.makeEngine(budget: MemoryBudget(limit: limit))
  }

  /// A channel in which `group` is entered until its cleanup: all handlers have returned then.
  private func channel(
    _ descriptor: borrowing OwnedDescriptor,
    _ engine: Engine,
    kind: IOChannel.StreamType = .stream,
    group: WorkGroup
  ) -> IOChannel {
    group.enter()
    return IOChannel(
      type: kind,
      fileDescriptor: descriptor.rawValue,
      engine: engine,
      queue: .global(),
      cleanupHandler: { _ in group.leave() }
    )
  }

  /// A file of zeros that takes no space.
  private func largeFile(_ directory: TemporaryDirectory, bytes: Int) throws -> OwnedDescriptor {
    let file = try openFile("\(directory.path)/large", [.readWrite, .create])
    try file.borrowed.setSize(Int64(bytes))
    return file
  }

  @Test("Bytes that a handler keeps delay no operation", arguments: TestBackend.allCases)
  func whatAHandlerKeepsHoldsNothingBack(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let length = Tier.count(quick: 64, full: 1024) * Self.mebi
    let file = try largeFile(directory, bytes: length)
    let engine = try engine(backend, limit: length / 16)
    let end = WorkGroup()
    let channel = channel(file, engine, group: end)
    let kept = BargingLock<[DataBuffer]>([])
    channel.read(offset: 0, length: .max, queue: .global()) { _, data, _ in
      if let data { kept.withLock { $0.append(data) } }
    }
    channel.close()
    await end.completion()
    #expect(kept.withLock { $0.reduce(0) { $0 + $1.count } } == length)
    #expect(engine.budget.used == 0)
  }

  @Test("A handler that sleeps delays only its own channel", arguments: TestBackend.allCases)
  func aHandlerThatSleepsHoldsOnlyItsOwnChannelBack(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let length = 48 * Self.mebi
    let file = try largeFile(directory, bytes: length)
    let engine = try engine(backend, limit: 32 * Self.mebi)
    let (slowEnd, quickEnd) = (WorkGroup(), WorkGroup())
    // Channels of one descriptor would clean up together.
    let other = try file.borrowed.duplicate()
    let slow = channel(other, engine, kind: .random, group: slowEnd)
    let quick = channel(file, engine, kind: .random, group: quickEnd)
    let mayReturn = CountingSemaphore(value: 0)
    slow.read(offset: 0, length: .max, queue: WorkQueue(label: "slow")) { _, _, _ in
      mayReturn.wait()
      mayReturn.signal()
    }
    slow.close()
    let counts = BargingLock((bytes: 0, most: 0))
    quick.read(offset: 0, length: .max, queue: .global()) { _, data, _ in
      let used = engine.budget.used
      counts.withLock {
        $0.bytes += data?.count ?? 0
        $0.most = max($0.most, used)
      }
    }
    quick.close()
    await quickEnd.completion()
    #expect(counts.withLock { $0.bytes } == length)
    // A quarter for each of the channels, and a step more.
    #expect(counts.withLock { $0.most } <= 2 * (8 + 1) * Self.mebi)
    #expect(engine.budget.used <= (8 + 1) * Self.mebi)
    mayReturn.signal()
    await slowEnd.completion()
    #expect(engine.budget.used == 0)
    await mayReturn.acquire()
  }

  @Test("A low-water mark above the budget still delivers once", arguments: TestBackend.allCases)
  func aLowWaterMarkAboveTheBudgetStillDeliversOnce(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let length = Tier.count(quick: 64, full: 1024) * Self.mebi
    let file = try largeFile(directory, bytes: length)
    let engine = try engine(backend, limit: length / 16)
    let end = WorkGroup()
    let channel = channel(file, engine, group: end)
    channel.setLimit(lowWater: .max)
    let counts = BargingLock<[Int]>([])
    channel.read(offset: 0, length: length, queue: .global()) { _, data, _ in
      counts.withLock { $0.append(data?.count ?? 0) }
    }
    channel.close()
    await end.completion()
    #expect(counts.withLock { $0 } == [length])
    #expect(engine.budget.used == 0)
  }

  @Test("An operation that waits for memory ends with a stop", arguments: TestBackend.allCases)
  func whatWaitsForMemoryEndsWithAStop(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try largeFile(directory, bytes: 64 * Self.mebi)
    let engine = try engine(backend, limit: 8)
    let end = WorkGroup()
    let channel = channel(file, engine, kind: .random, group: end)
    let trace = Trace()
    let (mayReturn, hasBegun) = (CountingSemaphore(value: 0), CountingSemaphore(value: 0))
    channel.read(offset: 0, length: .max, queue: WorkQueue(label: "slow")) { isDone, _, _ in
      if isDone { return trace.add(.mark("end")) }
      hasBegun.signal()
      mayReturn.wait()
    }
    // A handler that does not return has the channel's one piece, so all others wait for memory.
    await hasBegun.acquire()
    for number in 0..<20 {
      let handler = trace.handler("\(number)")
      channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: handler)
    }
    channel.close(flags: .stop)
    let entries = await trace.entries(20)
    let cancelled = (0..<20).map { number in
      TraceEntry.delivery(of: "\(number)", done: true, bytes: nil, error: .canceled)
    }
    #expect(entries.counts == cancelled.counts)
    #expect(engine.budget.used == Self.mebi)
    mayReturn.signal()
    await end.completion()
    #expect(trace.entries.last == .mark("end"))
    #expect(engine.budget.used == 0)
  }
}
