import CIOChannelsTestSupport
import DataRegions
import Glibc
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import QueueRuntime
import Testing

@testable import IOChannels

@Suite("Statistics of the engine (S117, S217)")
struct StatisticsTests {
  private func channel(
    _ kind: IOChannel.StreamType,
    _ descriptor: borrowing OwnedDescriptor,
    _ engine: Engine,
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

  /// Reads the statistics until they meet a condition, for at most 20 seconds.
  private func statistics(
    of engine: Engine,
    stuckAfter age: Duration = .seconds(5),
    until isMet: (IOEngine.Statistics) -> Bool
  ) async -> IOEngine.Statistics {
    let limit = Deadline.now() + .seconds(20)
    while true {
      let found = IOEngine.Statistics(of: engine, stuckAfter: age)
      if isMet(found) || Deadline.now() > limit { return found }
      await Task.yield()
    }
  }

  @Test("The backend is reported with the reason", arguments: TestBackend.real)
  func backend(backend: TestBackend) throws {
    let found = IOEngine.Statistics(of: try backend.engine())
    #expect(found.backend == (backend == .ring ? .uring : .threads))
    #expect(
      found.reason
        == (backend == .ring
          ? "io_uring: the probe succeeded" : "threads: IOCHANNELS_BACKEND asks for them")
    )
    #expect(found.isComplete)
  }

  @Test("A read that waits for a peer is in flight and never stuck", arguments: TestBackend.real)
  func waitingRead(backend: TestBackend) async throws {
    let engine = try backend.makeEngine()
    let ends = try PipeEnds()
    let end = WorkGroup()
    let channel = channel(.stream, ends.reading, engine, group: end)
    channel.read(offset: 0, length: 1, queue: .global()) { _, _, _ in }
    let waiting = await statistics(of: engine, stuckAfter: .zero) { $0.inFlightRequestCount == 1 }
    #expect(waiting.inFlightRequestCount == 1)
    #expect(waiting.waitingRequestCount == 0)
    #expect(waiting.stuckRequests == [])
    channel.close(flags: .stop)
    try await end.completion()
    let ended = await statistics(of: engine) { $0.inFlightRequestCount == 0 }
    #expect(ended.inFlightRequestCount == 0)
    #expect(engine.becomesIdle())
  }

  @Test("An append that waits for an earlier one is waiting", arguments: TestBackend.real)
  func waitingAppends(backend: TestBackend) async throws {
    let engine = try backend.makeEngine()
    let ends = try PipeEnds()
    ct_fill(ends.writing.rawValue)
    try ends.writing.borrowed.setStatusFlags(.append)
    let traits = try DescriptorTraits(of: ends.writing.borrowed)
    let owner = Owner()
    let requests = (0..<3).map { tag in
      Request(
        .write(DataBuffer([1])),
        descriptor: ends.writing.borrowed,
        traits: traits,
        tag: tag,
        owner: owner
      )
    }
    for request in requests {
      owner.pending.enter()
      engine.submit(request)
    }
    let found = await statistics(of: engine) { $0.inFlightRequestCount == 1 }
    #expect(found.inFlightRequestCount == 1)
    #expect(found.waitingRequestCount == 2)
    for request in requests { engine.cancel(request) }
    try await owner.pending.completion()
    #expect(engine.becomesIdle())
  }

  private final class Owner: RequestOwner {
    let pending = WorkGroup()

    func requestEnded(_ request: Request, with result: TransferResult) { pending.leave() }
  }

  @Test("Bytes count until the handler has returned", arguments: TestBackend.real)
  func bytes(backend: TestBackend) async throws {
    let budget = MemoryBudget(limit: 8 << 20)
    let buffers = BufferPool(cachedBytesLimit: 4 << 20)
    if backend == .ring { try Need.ring.orSkip() }
    let engine = Engine(setting: backend.setting, budget: budget, buffers: buffers)
    let place = try TemporaryDirectory()
    let path = try place.write([UInt8](repeating: 7, count: 1 << 20), to: "file")
    let file = try openFile(path)
    let end = WorkGroup()
    let channel = channel(.random, file, engine, group: end)
    let seen = BargingLock<[IOEngine.Statistics]>([])
    channel.read(offset: 0, length: 1 << 20, queue: .global()) { _, data, _ in
      guard data?.isEmpty == false else { return }
      seen.withLock { $0.append(IOEngine.Statistics(of: engine)) }
    }
    channel.close()
    try await end.completion()
    let found = seen.withLock { $0 }
    #expect(found.map(\.usedByteCount).max() ?? 0 >= 4096)
    #expect(found.allSatisfy { $0.allowedByteCount == 8 << 20 })
    let ended = IOEngine.Statistics(of: engine)
    #expect(ended.usedByteCount == 0)
    #expect(ended.cachedByteCount > 0)
    _ = buffers.freeUnused()
    #expect(IOEngine.Statistics(of: engine).cachedByteCount == 0)
    #expect(engine.becomesIdle())
  }

  /// A frozen file system holds its requests until it is thawed.
  @Test("A stuck request has its path and age", .needs(.loop, .root), arguments: TestBackend.real)
  func stuckRequests(backend: TestBackend) async throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    if backend == .ring { try Need.ring.orSkip() }
    let engine = Engine(setting: backend.setting, routing: backend == .ring ? .ring : .table)
    let path = "\(image.path)/file"
    let file = try openFile(path, [.readWrite, .create])
    let end = WorkGroup()
    let channel = channel(.random, file, engine, group: end)
    try runSuccessfully(["fsfreeze", "-f", image.path])
    defer { _ = try? run(["fsfreeze", "-u", image.path]) }
    channel.write(offset: 4096, data: DataBuffer([1, 2, 3]), queue: .global()) { _, _, _ in }
    end.enter()
    let opened = IOChannel(
      type: .stream,
      path: BytePath("\(image.path)/new"),
      oflag: O_WRONLY | O_CREAT,
      mode: 0o600,
      engine: engine,
      queue: .global(),
      cleanupHandler: { _ in end.leave() }
    )
    let created = try #require(opened)
    created.write(offset: 0, data: DataBuffer([1]), queue: .global()) { _, _, _ in }
    let found = await statistics(of: engine, stuckAfter: .zero) { found in
      // With no least age any call that is being made counts.
      ["open", "write"].allSatisfy { found.stuckRequests.map(\.operation).contains($0) }
    }
    let write = try #require(found.stuckRequests.first { $0.operation == "write" })
    #expect(write.path == BytePath(path))
    #expect(write.descriptor == file.rawValue)
    #expect(write.offset == 4096 && write.length == 3)
    #expect(write.description.hasPrefix("write of \(path) at offset 4096 of 3 bytes, for "))
    let opening = try #require(found.stuckRequests.first { $0.operation == "open" })
    #expect(opening.path == BytePath("\(image.path)/new"))
    #expect(opening.descriptor == nil)
    #expect(IOEngine.Statistics(of: engine, stuckAfter: .seconds(3600)).stuckRequests == [])
    try runSuccessfully(["fsfreeze", "-u", image.path])
    channel.close()
    created.close()
    try await end.completion()
    #expect(engine.becomesIdle())
  }
}
