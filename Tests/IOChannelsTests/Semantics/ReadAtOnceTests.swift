import IOChannels
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Small reads of cached bytes (S163)")
struct ReadAtOnceTests {
  /// A file that is in memory, and a random channel of it.
  private struct Place: ~Copyable {
    let file: FileOfBytes
    let descriptor: OwnedDescriptor
    let engine: Engine
    let channel: IOChannel
    let trace = Trace()
    let bytes: [UInt8]

    init(
      _ backend: TestBackend,
      _ count: Int = 64 << 10,
      budget: Int = 64 << 20,
      readsAtOnce: Bool = true
    ) async throws {
      let bytes = pattern(count)
      let file = try FileOfBytes(bytes)
      let budget = MemoryBudget(limit: budget)
      let engine = try backend.makeEngine(budget: budget, readsAtOnce: readsAtOnce)
      let descriptor = try file.opened()
      try holdPages(of: descriptor.borrowed)
      (self.bytes, self.file, self.engine) = (bytes, file, engine)
      channel = IOChannel(
        type: .random,
        fileDescriptor: descriptor.rawValue,
        engine: engine,
        queue: trace.queue,
        cleanupHandler: trace.cleanup()
      )
      self.descriptor = descriptor
      await channel.isMade()
    }

    func read(_ offset: Int64, _ length: Int, _ name: String = "") {
      channel.read(
        offset: offset,
        length: length,
        queue: trace.queue,
        ioHandler: trace.handler(name)
      )
    }

    /// Closes the channel, and gives all that came.
    func end(_ count: Int) async -> [TraceEntry] {
      channel.close()
      return await trace.entries(count + 1)
    }
  }

  @Test("A read of cached bytes needs no request", arguments: TestBackend.real)
  func whatIsInMemoryNeedsNoRequest(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(64 << 10))
    let descriptor = try file.opened()
    try holdPages(of: descriptor.borrowed)
    let kinds = RequestKinds()
    let trace = Trace()
    if backend == .ring { try Need.ring.orSkip() }
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: Engine(setting: backend.setting, observer: kinds),
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    await channel.isMade()
    var count = 0
    func read(_ length: Int) async -> Int {
      let before = kinds.reads
      channel.read(offset: 7, length: length, queue: trace.queue, ioHandler: trace.handler())
      count += 1
      let last = count
      await trace.reach { $0.entries.count(where: \.isDone) == last }
      return kinds.reads - before
    }
    for length in [1, 4096, 16 << 10] {
      // A page that the kernel moves just then is not there for it, so a try may need a request.
      var tries = 1
      while await read(length) > 0, tries < 100 { tries += 1 }
      #expect(tries < 100, "\(length)")
    }
    #expect(await read((16 << 10) + 1) == 1)
    channel.close()
    let entries = await trace.entries(count + 1)
    #expect(
      Set(entries) == [
        .delivery(done: true, bytes: 1), .delivery(done: true, bytes: 4096),
        .delivery(done: true, bytes: 16_384), .delivery(done: true, bytes: 16_385), .cleanup,
      ]
    )
    #expect(entries.last == .cleanup)
    _ = descriptor.rawValue
  }

  @Test("A cached read that waits for memory needs no request", arguments: TestBackend.real)
  func aCachedReadThatWaitsForMemoryNeedsNoRequest(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(64 << 10))
    let descriptor = try file.opened()
    try holdPages(of: descriptor.borrowed)
    let kinds = RequestKinds()
    let trace = Trace()
    if backend == .ring { try Need.ring.orSkip() }
    // An account has a quarter, which two of the reads fill.
    let budget = MemoryBudget(limit: 64 << 10)
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: Engine(setting: backend.setting, budget: budget, observer: kinds),
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    await channel.isMade()
    let width = 20
    // A page that the kernel moves just then is not there, so a try may need requests.
    var (tries, requests) = (0, 1)
    while requests > 0, tries < 100 {
      tries += 1
      let before = kinds.reads
      let blocked = WorkQueue(label: "blocked")
      blocked.suspend()
      for _ in 0..<width {
        channel.read(offset: 7, length: 8 << 10, queue: blocked, ioHandler: trace.handler())
      }
      blocked.resume()
      let count = tries * width
      await trace.reach { $0.entries.count(where: \.isDone) == count }
      requests = kinds.reads - before
    }
    #expect(tries < 100)
    channel.close()
    let read = TraceEntry.delivery(done: true, bytes: 8 << 10)
    let entries = await trace.entries(tries * width + 1)
    #expect(entries == Array(repeating: read, count: tries * width) + [.cleanup])
    #expect(budget.used == 0)
    _ = descriptor.rawValue
  }

  @Test("The handler gets the deliveries of any other read", arguments: TestBackend.allCases)
  func theHandlerGetsWhatAnyOtherReadGives(backend: TestBackend) async throws {
    let place = try await Place(backend, 10_000)
    let reads: [(Int64, Int)] = [
      (0, 4000), (9000, 4000), (10_000, 1), (20_000, 5), (9999, 1), (3, 0),
    ]
    var expected: [UInt8] = []
    for (number, (offset, length)) in reads.enumerated() {
      place.read(offset, length)
      expected += place.bytes.dropFirst(Int(offset)).prefix(length)
      await place.trace.reach { $0.entries.count(where: \.isDone) == number + 1 }
    }
    let entries = await place.end(7)
    let done = entries.filter(\.isDone)
    #expect(
      done == [
        .delivery(done: true, bytes: 4000), .delivery(done: true, bytes: 0),
        .delivery(done: true, bytes: 0), .delivery(done: true, bytes: 0),
        .delivery(done: true, bytes: 1), .delivery(done: true, bytes: 0),
      ]
    )
    #expect(entries.last == .cleanup)
    #expect(place.trace.bytes == expected)
    #expect(place.engine.budget.used == 0)
  }

  @Test(
    "The handler waits for its queue, and the cleanup for the handler",
    arguments: TestBackend.allCases
  )
  func theHandlerWaitsForItsQueueAndTheCleanupForIt(backend: TestBackend) async throws {
    let place = try await Place(backend)
    let blocked = WorkQueue(label: "blocked")
    blocked.suspend()
    for number in 0..<3 {
      let handler = place.trace.handler("\(number)")
      place.channel.read(offset: 0, length: 4096, queue: blocked, ioHandler: handler)
    }
    await withCheckedContinuation { continuation in
      // It waits for the reads, and not for their handlers.
      place.channel.barrier { continuation.resume() }
    }
    place.channel.close(flags: .stop)
    await place.trace.drain()
    #expect(place.trace.entries == [])
    #expect(place.engine.budget.used == 3 * 4096)
    blocked.resume()
    let entries = await place.trace.entries(4)
    // Positioned reads have no order, and one may have had to go through the engine.
    let reads = ["0", "1", "2"].map { TraceEntry.delivery(of: $0, done: true, bytes: 4096) }
    #expect(entries.dropLast().counts == reads.counts)
    #expect(entries.last == .cleanup)
    #expect(place.engine.budget.used == 0)
  }

  @Test("No read exceeds the budget", arguments: TestBackend.allCases, [true, false])
  func nobodyReadsPastTheBudget(backend: TestBackend, atOnce: Bool) async throws {
    // An account has a quarter, which two of the reads fill.
    let place = try await Place(backend, budget: 64 << 10, readsAtOnce: atOnce)
    let blocked = WorkQueue(label: "blocked")
    blocked.suspend()
    for _ in 0..<20 {
      place.channel.read(
        offset: 0,
        length: 8 << 10,
        queue: blocked,
        ioHandler: place.trace.handler()
      )
      #expect(place.engine.budget.used <= 16 << 10)
    }
    blocked.resume()
    let read = TraceEntry.delivery(done: true, bytes: 8192)
    #expect(await place.end(20) == Array(repeating: read, count: 20) + [.cleanup])
    #expect(place.engine.budget.used == 0)
  }

  @Test("Delivered bytes are not counted twice", arguments: TestBackend.allCases)
  func whatIsDeliveredIsNotCountedTwice(backend: TestBackend) async throws {
    let place = try await Place(backend, budget: 64 << 10, readsAtOnce: false)
    for _ in 0..<2000 { place.read(0, 8 << 10) }
    place.channel.close()
    var most = 0
    while place.trace.entries.last != .cleanup { most = max(most, place.engine.budget.used) }
    #expect(most <= 16 << 10)
  }

  @Test("Chunks and barriers stay as they are", arguments: TestBackend.allCases)
  func piecesAndBarriersAreKept(backend: TestBackend) async throws {
    let place = try await Place(backend)
    place.channel.setLimit(highWater: 3000)
    place.read(0, 8000)
    await place.trace.reach { $0.entries.last?.isDone == true }
    let pieces = place.trace.entries.compactMap(\.bytes)
    #expect(pieces.allSatisfy { $0 <= 3000 } && pieces.reduce(0, +) == 8000, "\(pieces)")
    let before = place.trace.entries.count
    place.channel.setLimit(highWater: .max)
    let gate = CountingSemaphore(value: 0)
    let trace = place.trace
    place.channel.barrier {
      gate.wait()
      trace.queue.sync { trace.add(.barrier) }
    }
    place.read(0, 10)
    await place.trace.drain()
    #expect(place.trace.entries.count == before)
    gate.signal()
    await place.trace.reach(before + 2)
    #expect(place.trace.entries.dropFirst(before) == [.barrier, .delivery(done: true, bytes: 10)])
    place.channel.close()
    place.read(0, 10)
    await place.trace.reach(before + 4)
    #expect(
      Set(place.trace.entries.dropFirst(before + 2)) == [
        .delivery(done: true, bytes: nil, error: .canceled), .cleanup,
      ]
    )
  }

  @Test("A barrier during a read runs after its handler on the same queue")
  func aBarrierThatComesDuringTheReadRunsBehindItsHandlerOnTheSameQueue() async throws {
    let file = try FileOfBytes(pattern(10))
    let descriptor = try file.opened()
    let trace = Trace()
    let backend = DisturbedBackend()
    let engine = Engine(
      simulatedBy: backend,
      queue: .global(),
      sizes: TransferSizes(),
      budget: .shared
    )
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    channel.setTarget(queue: trace.queue)
    await channel.isMade()
    backend.disturb { channel.barrier { trace.add(.barrier) } }
    channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    channel.close()
    #expect(await trace.entries(3) == [.delivery(done: true, bytes: 10), .barrier, .cleanup])
    _ = descriptor.rawValue
  }

  @Test("A stop does not end a read while a thread searches for its bytes")
  func aStopDoesNotEndAReadDuringItsSearch() async throws {
    let file = try FileOfBytes(pattern(10))
    let descriptor = try file.opened()
    let trace = Trace()
    let backend = DisturbedBackend()
    // An account gets one piece at a time.
    let budget = MemoryBudget(limit: 1)
    let engine = Engine(
      simulatedBy: backend,
      queue: .global(),
      sizes: TransferSizes(),
      budget: budget
    )
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    await channel.isMade()
    let blocked = WorkQueue(label: "blocked")
    blocked.suspend()
    for _ in 0..<2 {
      channel.read(offset: 0, length: 10, queue: blocked, ioHandler: trace.handler())
    }
    backend.disturb { channel.close(flags: .stop) }
    blocked.resume()
    let read = TraceEntry.delivery(done: true, bytes: 10)
    #expect(await trace.entries(3) == [read, read, .cleanup])
    #expect(budget.used == 0)
    _ = descriptor.rawValue
  }
}

/// Finds all that it is asked for in memory, and runs some code while it reads.
private final class DisturbedBackend: Backend {
  private let threads = ThreadBackend(pool: .transfers, statistics: Statistics())
  private let disturbance = Mutex<(@Sendable () -> Void)?>(nil)

  func disturb(_ code: @escaping @Sendable () -> Void) { disturbance.withLock { $0 = code } }

  func submit(_ request: Request) { threads.submit(request) }

  func cancel(_ request: Request) { threads.cancel(request) }

  func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64,
    for owner: (any RequestOwner)?
  ) throws(SystemError) -> Int {
    disturbance.withLock { $0.take() }?()
    let count = output.freeCapacity
    while !output.isFull { output.append(7) }
    return count
  }
}
