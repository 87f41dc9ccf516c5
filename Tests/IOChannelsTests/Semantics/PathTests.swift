import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

extension TestBackend {
  /// A channel of a path, with its cleanup in the trace.
  func channel(
    _ kind: IOChannel.StreamType = .stream,
    path: String,
    _ trace: Trace,
    _ oflag: Int32 = O_RDONLY,
    mode: UInt32 = 0o644
  ) throws -> IOChannel {
    let channel = IOChannel(
      type: kind,
      path: BytePath(path),
      oflag: oflag,
      mode: mode,
      engine: try engine(),
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    guard let channel else { throw TestFailure("no channel for \(path)") }
    return channel
  }
}

@Suite("Channels of paths (S2, S3, S5 to S7, S15, S32, S41, S130, S132, S133)")
struct PathTests {
  private func status(_ path: String) -> FileStatus? {
    try? BorrowedDescriptor.workingDirectory.status(of: BytePath(path))
  }

  @Test("The first operation creates the file", arguments: TestBackend.allCases)
  func theFirstOperationMakesTheFile(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("new")
    let trace = Trace()
    let channel = try backend.channel(path: path, trace, O_RDWR | O_CREAT, mode: 0o640)
    channel.barrier { trace.add(.barrier) }
    channel.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(2)
    #expect(status(path) == nil)
    #expect(channel.fileDescriptor == -1)
    let data = DataBuffer(pattern(10))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(3).last == .delivery(done: true, bytes: nil))
    #expect(status(path)?.size == 10)
    #expect((status(path)?.permissions ?? 0) & ~0o640 == 0)
    #expect(channel.fileDescriptor >= 0)
    channel.close()
    #expect(channel.fileDescriptor == -1)
    #expect(await trace.entries(4).last == .cleanup)
  }

  @Test("A channel without operations creates no file", arguments: TestBackend.allCases)
  func aChannelWithoutOperationsMakesNoFile(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("new")
    let trace = Trace()
    do {
      let channel = try backend.channel(path: path, trace, O_WRONLY | O_CREAT)
      channel.barrier { trace.add(.barrier) }
    }
    #expect(await trace.entries(2) == [.barrier, .cleanup])
    #expect(status(path) == nil)
  }

  @Test("A path that is not absolute is refused")
  func aPathThatIsNotAbsoluteIsRefused() throws {
    for path in ["file", "./file", ""] {
      let channel = IOChannel(
        type: .stream,
        path: BytePath(path),
        oflag: O_RDONLY,
        mode: 0,
        queue: .global()
      ) { _ in Issue.record("a cleanup of nothing") }
      #expect(channel == nil)
    }
  }

  /// A path that fails when the channel is made.
  struct Failure: Sendable, CustomTestStringConvertible {
    let name: String
    let oflag: Int32
    var kind = IOChannel.StreamType.stream
    let error: SystemError

    var testDescription: String { "\(name) gives \(error)" }

    static let all = [
      Failure(name: "missing", oflag: O_RDONLY, error: .noSuchFileOrDirectory),
      Failure(name: "missing/", oflag: O_RDWR | O_CREAT, error: .noSuchFileOrDirectory),
      Failure(name: "missing/new", oflag: O_RDWR | O_CREAT, error: .noSuchFileOrDirectory),
      Failure(name: "file/new", oflag: O_RDONLY, error: .notDirectory),
      Failure(name: "", oflag: O_RDONLY, error: .isDirectory),
      Failure(name: "fifo", oflag: O_RDONLY, kind: .random, error: .illegalSeek),
    ]
  }

  @Test(
    "An error that is visible at once fails the creation",
    arguments: TestBackend.allCases,
    Failure.all
  )
  func whatCanBeSeenFailsTheCreation(backend: TestBackend, failure: Failure) async throws {
    let directory = try TemporaryDirectory()
    try directory.write([1], to: "file")
    try runSuccessfully(["mkfifo", directory("fifo")])
    let trace = Trace()
    let path = directory(failure.name)
    let channel = try backend.channel(failure.kind, path: path, trace, failure.oflag)
    let data = DataBuffer([1, 2])
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(
      Set(await trace.entries(3)) == [
        .delivery(done: true, bytes: nil, error: failure.error),
        .delivery(done: true, bytes: 2, error: failure.error), .cleanup(error: failure.error),
      ]
    )
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(4).last == .delivery(done: true, bytes: nil, error: failure.error))
    #expect(channel.fileDescriptor == -1)
  }

  @Test("A failed open fails all operations and the cleanup", arguments: TestBackend.allCases)
  func anOpeningThatFailsFailsAllOperationsAndTheCleanup(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([1], to: "file")
    for kind in [IOChannel.StreamType.stream, .random] {
      let trace = Trace()
      let channel = try backend.channel(kind, path: path, trace, O_RDWR | O_CREAT | O_EXCL)
      let data = DataBuffer(pattern(7))
      channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler("a"))
      #expect(
        await trace.entries(1) == [.delivery(of: "a", done: true, bytes: 7, error: .fileExists)]
      )
      channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("b"))
      #expect(
        await trace.entries(2).last
          == .delivery(of: "b", done: true, bytes: nil, error: .fileExists)
      )
      channel.read(offset: 0, length: 0, queue: trace.queue, ioHandler: trace.handler("c"))
      #expect(await trace.entries(3).last == .delivery(of: "c", done: true, bytes: 0))
      channel.close()
      #expect(await trace.entries(4).last == .cleanup(error: .fileExists))
    }
  }

  @Test("A path that does not answer delays no other channel", arguments: TestBackend.allCases)
  func aPathThatDoesNotAnswerHoldsNobodyUp(backend: TestBackend) async throws {
    if backend == .ring { try Need.ring.orSkip() }
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(10), to: "file")
    let mayAnswer = CountingSemaphore(value: 0)
    let pool = BlockingPool(name: "held", width: 1, maximum: 1)
    pool.submit { mayAnswer.wait() }
    let kinds = RequestKinds()
    let engine = Engine(setting: backend.setting, pool: pool, observer: kinds)
    let trace = Trace()
    let channel = IOChannel(
      type: .stream,
      path: BytePath(path),
      oflag: O_RDONLY,
      mode: 0,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    channel?.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    channel?.close()
    #expect(kinds.all == [.status])
    #expect(trace.entries.isEmpty)
    mayAnswer.signal()
    #expect(await trace.entries(2) == [.delivery(done: true, bytes: 10), .cleanup])
    // None of it was done on a thread that the engine does not know of.
    #expect(kinds.all == [.status, .open, .read, .close])
    #expect(engine.becomesIdle())
  }

  @Test("A link that is not followed fails the open", arguments: TestBackend.allCases)
  func aLinkThatIsNotFollowedFailsTheOpening(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    try runSuccessfully(["ln", "-s", "/nowhere", directory("link")])
    let trace = Trace()
    let channel = try backend.channel(path: directory("link"), trace, O_RDONLY | O_NOFOLLOW)
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    channel.close()
    #expect(
      await trace.entries(2) == [
        .delivery(done: true, bytes: nil, error: .tooManySymbolicLinkLevels),
        .cleanup(error: .tooManySymbolicLinkLevels),
      ]
    )
  }

  @Test("A stop before the first operation opens nothing", arguments: TestBackend.allCases)
  func aStopBeforeTheFirstOperationOpensNothing(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("new")
    let trace = Trace()
    let channel = try backend.channel(path: path, trace, O_WRONLY | O_CREAT)
    let mayEnd = CountingSemaphore(value: 0)
    channel.barrier { mayEnd.wait() }
    let data = DataBuffer([1])
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    channel.close(flags: .stop)
    mayEnd.signal()
    #expect(
      await trace.entries(2) == [.delivery(done: true, bytes: 1, error: .canceled), .cleanup]
    )
    #expect(status(path) == nil)
  }

  @Test(
    "An operation that is cancelled before it starts opens nothing",
    arguments: TestBackend.allCases,
    [false, true]
  )
  func whatIsCancelledBeforeItsTurnOpensNothing(backend: TestBackend, isWrite: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("new")
    let trace = Trace()
    let channel = try backend.channel(path: path, trace, O_WRONLY | O_CREAT)
    let mayEnd = CountingSemaphore(value: 0)
    channel.barrier { mayEnd.wait() }
    let task = Task {
      if isWrite { try await channel.write([1]) } else { try await channel.synchronize() }
    }
    while !channel.debugDescription.contains("1 of 1 operations open") { await Task.yield() }
    task.cancel()
    await #expect(throws: IOChannelError.self) { try await task.value }
    mayEnd.signal()
    channel.close()
    #expect(await trace.entries(1) == [.cleanup])
    #expect(status(path) == nil)
  }

  @Test("A barrier gets the descriptor of its own channel only", arguments: TestBackend.allCases)
  func aBarrierGetsTheDescriptorOfItsOwnChannelOnly(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(10), to: "file")
    let trace = Trace()
    let channel = try backend.channel(.random, path: path, trace, O_RDONLY | O_NONBLOCK)
    let other = try backend.channel(.random, path: path, trace)
    let found = BargingLock<[Int32]>([])
    channel.barrier {
      found.withLock { $0 = [other.fileDescriptor, channel.fileDescriptor] }
      trace.add(.barrier)
    }
    await trace.reach(1)
    let numbers = found.withLock { $0 }
    #expect(numbers[0] == -1)
    let descriptor = BorrowedDescriptor(rawValue: numbers[1])
    let identity = try descriptor.status().identity
    #expect(identity == status(path)?.identity)
    #expect(try !descriptor.statusFlags().contains(.nonBlocking))
    #expect(fcntl(numbers[1], F_GETFD) == FD_CLOEXEC)
    #expect(channel.fileDescriptor == numbers[1])
    channel.read(offset: 2, length: 3, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(2).last == .delivery(done: true, bytes: 3))
    #expect(trace.bytes == pattern(3, from: 2))
    channel.close()
    await trace.reach(3)
    // The number may be another file's by now.
    #expect((try? descriptor.status().identity) != identity)
    other.barrier {
      other.close()
      trace.add(.number("descriptor", Int(other.fileDescriptor)))
    }
    #expect(await trace.entries(5).suffix(2) == [.number("descriptor", -1), .cleanup])
  }

  @Test("A FIFO is opened without waiting", arguments: TestBackend.allCases)
  func aFIFOIsOpenedWithoutWaiting(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("fifo")
    try runSuccessfully(["mkfifo", path])
    let lonely = Trace()
    let writer = try backend.channel(path: path, lonely, O_WRONLY)
    let data = DataBuffer(pattern(10))
    writer.write(offset: 0, data: data, queue: lonely.queue, ioHandler: lonely.handler())
    writer.close()
    let error = SystemError(rawValue: ENXIO)
    #expect(
      await lonely.entries(2) == [
        .delivery(done: true, bytes: 10, error: error), .cleanup(error: error),
      ]
    )
    let peer = try openFile(path, .readWrite)
    let trace = Trace()
    let channel = try backend.channel(path: path, trace)
    channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    #expect(try peer.borrowed.write(pattern(10), 0..<10) == 10)
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 10)])
    channel.close()
    await trace.reach(2)
  }
}
