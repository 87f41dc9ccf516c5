import DataRegions
import Glibc
import QueueRuntime
import Synchronization
import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Waits that cannot be created (S121, I10)")
struct ReadinessTests {
  /// Creates a request that reads a byte.
  private static func read(
    _ descriptor: BorrowedDescriptor,
    tag: Int = 0,
    for owner: Answers = Answers()
  ) throws -> Request {
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    return Request(.read(buffer, 0..<1), descriptor: descriptor, tag: tag, owner: owner)
  }

  @Test("A thread that cannot be started is not requested again")
  func aThreadThatDoesNotStartIsNoReasonToAskAgain() throws {
    let waiter = ReadinessWaiter(pool: .transfers) { (_, _) throws(SystemError) in
      throw .resourceTemporarilyUnavailable
    }
    let ends = try PipeEnds()
    let request = try Self.read(ends.reading.borrowed)
    let errors = BargingLock<[SystemError]>([])
    waiter.wait(for: request) { outcome in
      if case .failed(let error) = outcome { errors.withLock { $0.append(error) } }
    }
    #expect(errors.withLock { $0 } == [.noMemory])
  }

  @Test("A first wait without a free descriptor is an error, and a later one succeeds (S322)")
  func firstWaitWithoutDescriptors() async {
    await #expect(processExitsWith: .success) {
      let waiter = ReadinessWaiter(pool: .transfers)
      let ends = try PipeEnds()
      let request = try ReadinessTests.read(ends.reading.borrowed)
      let errors = BargingLock<[SystemError]>([])
      let former = try limitDescriptors(to: 0)
      waiter.wait(for: request) { outcome in
        if case .failed(let error) = outcome { errors.withLock { $0.append(error) } }
      }
      _ = try limitDescriptors(to: former)
      #expect(errors.withLock { $0 } == [.tooManyOpenFiles])
      let group = WorkGroup()
      group.enter()
      waiter.wait(for: request) { outcome in
        if case .over = outcome { group.leave() }
      }
      _ = try ends.writing.borrowed.write([1], 0..<1)
      try await group.completion()
    }
  }

  @Test("Waits for one descriptor end by its states, each in its direction (S322)")
  func waitsForOneDescriptor() throws {
    let waiter = ReadinessWaiter(pool: .transfers)
    let ends = try PipeEnds(socketsWithMessages: false)
    let (reads, writes) = (WorkGroup(), WorkGroup())
    func wait(for request: Request, _ group: WorkGroup) -> Request {
      group.enter()
      waiter.wait(for: request) { _ in group.leave() }
      return request
    }
    func read() throws { _ = wait(for: try Self.read(ends.reading.borrowed), reads) }
    func write() -> Request {
      let data = DataBuffer([1])
      let socket = ends.reading.borrowed
      let request = Request(.write(data), descriptor: socket, tag: 0, owner: Answers())
      return wait(for: request, writes)
    }
    // The buffer is full, so that only reads end.
    let flags = try ends.reading.borrowed.statusFlags()
    try ends.reading.borrowed.setStatusFlags(flags.union(.nonBlocking))
    let bytes = pattern(1 << 20)
    while (try? ends.reading.borrowed.write(bytes, 0..<bytes.count)) != nil {}
    let first = write()
    for _ in 0..<3 { try read() }
    #expect(waiter.count == 4)
    _ = try ends.writing.borrowed.write([1], 0..<1)
    reads.wait()
    #expect(waiter.count == 1)
    let second = write()
    #expect(waiter.count == 2)
    waiter.cancel(second)
    #expect(waiter.count == 1)
    waiter.cancel(first)
    writes.wait()
    #expect(waiter.count == 0)
    // The number can be added again.
    try read()
    reads.wait()
  }

  @Test("A number that gets another file during a wait is waited for anew (S322)")
  func reusedNumber() throws {
    let waiter = ReadinessWaiter(pool: .transfers)
    let (one, other) = (try PipeEnds().handedOut(), try PipeEnds().handedOut())
    let number = one.reading
    let saved = dup(number)
    defer {
      for number in [number, one.writing, other.reading, other.writing, saved] { close(number) }
    }
    let errors = BargingLock<[SystemError?]>([])
    func wait(_ group: WorkGroup) throws -> Request {
      let request = try Self.read(BorrowedDescriptor(rawValue: number))
      group.enter()
      waiter.wait(for: request) { outcome in
        let error: SystemError? = if case .failed(let error) = outcome { error } else { nil }
        errors.withLock { $0.append(error) }
        group.leave()
      }
      return request
    }
    let (cancelled, ready, closed) = (WorkGroup(), WorkGroup(), WorkGroup())
    // The wait ends while the number has another file, and the file gets it again.
    let first = try wait(cancelled)
    dup2(other.reading, number)
    waiter.cancel(first)
    cancelled.wait()
    dup2(saved, number)
    _ = try wait(ready)
    _ = try BorrowedDescriptor(rawValue: one.writing).write([1], 0..<1)
    ready.wait()
    #expect(errors.withLock { $0 } == [nil, nil])
    var byte: [UInt8] = [0]
    _ = try BorrowedDescriptor(rawValue: saved).read(into: &byte)
    // A wait for a file that has lost its number never continues with the next file.
    _ = try wait(closed)
    dup2(other.reading, number)
    _ = try wait(ready)
    closed.wait()
    #expect(errors.withLock { $0 } == [nil, nil, .badFileDescriptor])
    _ = try BorrowedDescriptor(rawValue: other.writing).write([1], 0..<1)
    ready.wait()
    #expect(errors.withLock { $0 } == [nil, nil, .badFileDescriptor, nil])
    #expect(waiter.count == 0)
  }

  /// A file that ends where the write does refuses to be written past the cache without waiting,
  /// for as long as it is asked, and the kernel never waits for a file.
  @Test("A descriptor that cannot be polled is written by a plain call", .needs(.loop, .root))
  func whatCannotBeAwaitedIsWrittenByAPlainCall() async throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    let direct = OpenFlags(rawValue: 0o40000)
    let file = try openFile("\(image.path)/file", [.readWrite, .create, direct])
    let engine = Engine(setting: "threads")
    let asker = Asker(engine)
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 4096))
    var traits = DescriptorTraits.unknown
    traits.kind = .pollable
    let data = buffer.filled(0..<4096)
    let request = asker.submit(.write(data), of: file.borrowed, traits: traits)
    // Whoever asks again and again has to be stopped.
    let isOver = Deadline.now() + .seconds(10)
    while engine.counts.threadRequests == 0, Deadline.now() < isOver {}
    engine.cancel(request)
    #expect(await asker.answer(to: request) == .success(4096))
  }

  @Test("A cancellation interrupts a call that waits, and only that of its own request")
  func interruption() async throws {
    let interrupter = Interrupter()
    let ends = [try PipeEnds().handedOut(), try PipeEnds().handedOut()]
    defer {
      for number in ends.flatMap({ [$0.reading, $0.writing] }) {
        _ = OwnedDescriptor(owning: number)
      }
    }
    let answers = Answers()
    let requests = try ends.enumerated().map { index, pair in
      try Self.read(BorrowedDescriptor(rawValue: pair.reading), tag: index, for: answers)
    }
    let threads = BargingLock<[Int: Int32]>([:])
    for request in requests {
      try PlatformThread.start(name: "waits") {
        threads.withLock { $0[request.tag] = PlatformThread.currentNumber }
        let result = interrupter.call(for: request, ifCancelled: .failure(.timedOut)) {
          request.call(waits: true)
        }
        request.end(result)
      }
    }
    for tag in 0...1 {
      while !(threads.withLock { $0[tag] }.map(PlatformThread.isBlocked) ?? false) {
        await Task.yield()
      }
    }
    requests[0].isCancelled.store(true, ordering: .releasing)
    interrupter.interrupt(requests[0])
    #expect(await answers.results(1) == [0: .failure(.canceled)])
    // The other one was not cancelled: it goes on.
    _ = try BorrowedDescriptor(rawValue: ends[1].writing).write([1], 0..<1)
    #expect(await answers.results(2)[1] == .success(1))
    // A request that was cancelled before its call makes none.
    let result = interrupter.call(for: requests[0], ifCancelled: TransferResult.failure(.canceled))
    {
      requests[0].call(waits: true)
    }
    #expect(result == .failure(.canceled))
  }
}
