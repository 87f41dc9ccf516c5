import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@Suite("Deallocators on queues (S66)")
struct QueueDeallocatorTests {
  private let queue = WorkQueue(label: "deallocator")

  /// The order in which things happened.
  private final class Log: Sendable {
    private let entries = BargingLock<[TraceEntry]>([])

    var all: [TraceEntry] { entries.withLock { $0 } }

    func add(_ entry: TraceEntry) { entries.withLock { $0.append(entry) } }
  }

  /// A buffer of one region, given back on the queue.
  private func region(_ bytes: [UInt8], _ log: Log) -> DataBuffer {
    region(bytes) { log.add($0) }
  }

  private func region(
    _ bytes: [UInt8],
    _ log: @escaping @Sendable (TraceEntry) -> Void
  ) -> DataBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    let address = UInt(bitPattern: memory.baseAddress)
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom(on: queue) { memory in
        let isTheSame = UInt(bitPattern: memory.baseAddress) == address
        log(isTheSame ? .deallocation(bytes: memory.count) : .mark("other memory"))
        unsafe memory.deallocate()
      }
    )
  }

  @Test("Memory is released once, as an item of the queue")
  func memoryIsGivenBackOnceAsAnItemOfTheQueue() {
    let (log, gate) = (Log(), WorkGroup())
    gate.enter()
    queue.async {
      gate.wait()
      log.add(.mark("before"))
    }
    do {
      let whole = region([1, 2, 3], log)
      #expect([UInt8](whole.subdata(in: 1..<3)) == [2, 3])
    }
    queue.async { log.add(.mark("after")) }
    #expect(log.all.isEmpty)
    gate.leave()
    queue.sync {}
    #expect(log.all == [.mark("before"), .deallocation(bytes: 3), .mark("after")])
  }

  @Test("Memory is kept until its last use")
  func memoryIsKeptUntilItsLastUse() {
    let log = Log()
    var whole = region(pattern(100), log)
    var part = whole.subdata(in: 10..<20)
    whole = .empty
    queue.sync {}
    #expect(log.all.isEmpty)
    #expect([UInt8](part) == pattern(10, from: 10))
    part = .empty
    queue.sync {}
    #expect(log.all == [.deallocation(bytes: 100)])
  }

  @Test("Empty memory is released too")
  func emptyMemoryIsGivenBackToo() {
    let log = Log()
    #expect(region([], log).isEmpty)
    let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let shown = unsafe DataBuffer(
      bytesNoCopy: nothing,
      deallocator: .custom(on: queue) { log.add(.number("bytes of nothing", $0.count)) }
    )
    #expect(shown.isEmpty)
    queue.sync {}
    #expect(log.all == [.deallocation(bytes: 0), .number("bytes of nothing", 0)])
  }

  /// A buffer of one region, released with a function that gets no memory.
  private func region(_ queue: WorkQueue?, _ body: @escaping @Sendable () -> Void) -> DataBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
    unsafe memory.copyBytes(from: pattern(3))
    let address = UInt(bitPattern: memory.baseAddress)
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom(queue) {
        unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        body()
      }
    )
  }

  @Test("A function without the memory is an item of the queue (S219)")
  func functionWithoutTheMemory() {
    let (log, gate) = (Log(), WorkGroup())
    gate.enter()
    queue.async {
      gate.wait()
      log.add(.mark("before"))
    }
    do {
      let whole = region(queue) { log.add(.mark("released")) }
      #expect([UInt8](whole.subdata(in: 1..<3)) == pattern(2, from: 1))
    }
    queue.async { log.add(.mark("after")) }
    #expect(log.all.isEmpty)
    gate.leave()
    queue.sync {}
    #expect(log.all == [.mark("before"), .mark("released"), .mark("after")])
  }

  /// The function waits for the caller, which would block the caller's thread for ever.
  @Test("Without a queue the function is an item of the global queue (S219)")
  func functionWithoutAQueue() {
    let (log, gate, end) = (Log(), WorkGroup(), WorkGroup())
    gate.enter()
    end.enter()
    do {
      let whole = region(nil) {
        let isElsewhere = gate.wait(timeout: .now() + .seconds(30)) == .success
        log.add(.mark(isElsewhere ? "global queue" : "thread of the release"))
        end.leave()
      }
      #expect([UInt8](whole) == pattern(3))
    }
    gate.leave()
    end.wait()
    #expect(log.all == [.mark("global queue")])
  }

  @Test("Parts may be released on many threads")
  func partsMayBeDroppedOnManyThreads() async {
    let log = Log()
    var whole = (0..<100).reduce(into: DataBuffer()) { whole, _ in whole += region([7], log) }
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask { [whole] in
          #expect(whole.subdata(in: task..<100 - task).allSatisfy { $0 == 7 })
        }
      }
    }
    whole = .empty
    queue.sync {}
    #expect(log.all == [TraceEntry](repeating: .deallocation(bytes: 1), count: 100))
  }

  @Test("Written memory is released once", arguments: TestBackend.allCases)
  func writtenMemoryIsGivenBackOnce(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(directory("file"), [.readWrite, .create])
    let trace = Trace()
    let channel = try backend.channel(.random, descriptor, trace)
    channel.write(
      offset: 0,
      data: region(pattern(5_000)) { trace.add($0) },
      queue: trace.queue,
      ioHandler: trace.handler()
    )
    channel.close()
    #expect(
      await trace.entries(3).counts == [
        .delivery(done: true, bytes: nil): 1, .cleanup: 1, .deallocation(bytes: 5_000): 1,
      ]
    )
  }

  /// The thread of a ring begins some writes, and must not be the one that releases memory.
  @Test(
    "Memory with a deallocator of the caller is not written at once (S164)",
    arguments: TestBackend.real
  )
  func memoryThatUsersGiveBackIsNotWrittenAtOnce(backend: TestBackend) async throws {
    if backend == .ring { try Need.ring.orSkip() }
    let ends = try PipeEnds()
    let (kinds, trace) = (RequestKinds(), Trace())
    let channel = IOChannel(
      type: .stream,
      fileDescriptor: ends.writing.rawValue,
      engine: Engine(setting: backend.setting, observer: kinds),
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    await channel.isMade()
    channel.write(
      offset: 0,
      data: region(pattern(10)) { trace.add($0) },
      queue: trace.queue,
      ioHandler: trace.handler()
    )
    #expect(
      await trace.entries(2).counts == [
        .delivery(done: true, bytes: nil): 1, .deallocation(bytes: 10): 1,
      ]
    )
    #expect(kinds.writes == 1)
    channel.close()
    await trace.reach(3)
  }

  /// The writes are cancelled, complete, or divided by a channel.
  @Test("No deallocator runs on the thread of a ring (S114)", .needs(.ring))
  func noDeallocatorRunsOnTheThreadOfARing() async throws {
    let engine = Engine(setting: "uring", routing: .ring)
    let names = ThreadNames()
    let ends = try PipeEnds()
    let traits = try DescriptorTraits(of: ends.writing.borrowed)
    let owner = Nobody()
    for number in 0..<100 {
      let request = Request(
        .write(buffer(noting: names, 10)),
        descriptor: ends.writing.borrowed,
        traits: traits,
        tag: number,
        owner: owner
      )
      engine.submit(request)
      if number % 3 == 0 { engine.cancel(request) }
    }
    try await names.group.completion()
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(directory("file"), [.readWrite, .create])
    let trace = Trace()
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    for number in 0..<50 {
      let data = (0..<3).reduce(into: DataBuffer()) { data, _ in
        data += buffer(noting: names, 1 << 20)
      }
      channel.write(
        offset: Int64(number % 4) << 22,
        data: data,
        queue: trace.queue,
        ioHandler: trace.handler()
      )
    }
    channel.close()
    try await names.group.completion()
    #expect(names.count == 250)
    #expect(names.all.isDisjoint(with: ["iochannels-ring", "iochannels-poll"]), "\(names.all)")
    await trace.reach(51)
    #expect(engine.becomesIdle())
  }

  /// Bytes whose memory is given back on a thread that is noted.
  private func buffer(noting names: ThreadNames, _ count: Int) -> DataBuffer {
    names.expect()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 7)
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom { memory in
        unsafe memory.deallocate()
        names.note()
      }
    )
  }

  /// An owner that keeps nothing of its requests.
  private final class Nobody: RequestOwner {
    func requestEnded(_ request: Request, with result: TransferResult) {}
  }
}
