import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Channels of other channels (S8, S9, S135)")
struct SiblingTests {
  private func sibling(
    _ kind: IOChannel.StreamType,
    of channel: IOChannel,
    _ trace: Trace
  ) -> IOChannel {
    IOChannel(type: kind, io: channel, queue: trace.queue, cleanupHandler: trace.cleanup("sibling"))
  }

  @Test("A channel of a channel with a descriptor shares it", arguments: TestBackend.allCases)
  func oneOfADescriptorSharesIt(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(100), to: "file"))
    let trace = Trace()
    let channel = try backend.channel(.stream, file, trace)
    channel.setLimit(highWater: 10)
    channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(1)
    let stream = sibling(.stream, of: channel, trace)
    let random = sibling(.random, of: stream, trace)
    #expect(stream.shares(with: channel))
    #expect(random.fileDescriptor == file.rawValue)
    // The position goes on, offsets count from it, and the marks are new.
    stream.read(offset: 0, length: 20, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(2)
    random.read(offset: 5, length: 30, queue: trace.queue, ioHandler: trace.handler())
    #expect(
      await trace.entries(3) == [
        .delivery(done: true, bytes: 10), .delivery(done: true, bytes: 20),
        .delivery(done: true, bytes: 30),
      ]
    )
    #expect(trace.bytes == pattern(30) + pattern(30, from: 15))
    for channel in [random, stream, channel] { channel.close() }
    #expect(
      await trace.entries(6).suffix(3) == [
        .cleanup, .cleanup(of: "sibling"), .cleanup(of: "sibling"),
      ]
    )
  }

  @Test("A channel of a channel with a path has its own position", arguments: TestBackend.allCases)
  func oneOfAPathHasItsOwnPosition(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(100), to: "file")
    let trace = Trace()
    let channel = try backend.channel(path: path, trace)
    channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach(1)
    let stream = sibling(.stream, of: channel, trace)
    #expect(!stream.shares(with: channel))
    stream.read(offset: 0, length: 20, queue: trace.queue, ioHandler: trace.handler())
    #expect(
      await trace.entries(2) == [
        .delivery(done: true, bytes: 10), .delivery(done: true, bytes: 20),
      ]
    )
    #expect(trace.bytes == pattern(10) + pattern(20))
    #expect(stream.fileDescriptor != channel.fileDescriptor)
    stream.close()
    #expect(await trace.entries(3).last == .cleanup(of: "sibling"))
    channel.close()
    #expect(await trace.entries(4).last == .cleanup)
  }

  @Test(
    "A channel of a closed channel is cancelled from the start",
    arguments: TestBackend.allCases,
    [false, true]
  )
  func oneOfAClosedChannelIsBornCancelled(backend: TestBackend, hasPath: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(100), to: "file")
    let file = try openFile(path)
    let trace = Trace()
    let channel =
      hasPath ? try backend.channel(path: path, trace) : try backend.channel(.stream, file, trace)
    channel.close()
    // Before and after its cleanup.
    for count in [2, 4] {
      let late = sibling(.stream, of: channel, trace)
      late.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
      late.barrier { trace.add(.barrier) }
      await trace.reach(3 * count / 2 + 1)
    }
    let entries = trace.entries
    #expect(entries.count { $0 == .cleanup } == 1)
    #expect(entries.count { $0 == .cleanup(of: "sibling", error: .canceled) } == 2)
    #expect(entries.count { $0 == .delivery(done: true, bytes: nil, error: .canceled) } == 2)
    #expect(entries.count { $0 == .barrier } == 2)
  }

  @Test(
    "A channel of a failed channel has its error",
    arguments: TestBackend.allCases,
    [false, true]
  )
  func oneOfAFailedChannelHasItsError(backend: TestBackend, isKnown: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("fifo")
    try runSuccessfully(["mkfifo", path])
    let ends = try PipeEnds()
    // An error that is not known yet comes before, between or after what makes the other channel.
    for round in 0..<(isKnown ? 2 : 1_000) {
      let hasPath = round % 2 == 1
      let trace = Trace()
      let channel =
        hasPath
        ? try backend.channel(.random, path: path, trace)
        : try backend.channel(.random, ends.reading, trace)
      if isKnown { await trace.reach(1) }
      let other = sibling(.stream, of: channel, trace)
      other.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
      // The error goes before the stop, which only ends the wait where there is none.
      other.close(flags: .stop)
      #expect(
        await trace.entries(3).counts == [
          .delivery(done: true, bytes: nil, error: .illegalSeek): 1,
          .cleanup(error: .illegalSeek): 1,
          .cleanup(of: "sibling", error: .illegalSeek): 1,
        ]
      )
    }
  }

  @Test(
    "An error passes from one channel to the next",
    .timeLimit(.minutes(10)),
    arguments: TestBackend.real,
    [false, true]
  )
  func anErrorGoesFromOneToTheNext(backend: TestBackend, isKept: Bool) async throws {
    if backend == .ring { try Need.ring.orSkip() }
    let directory = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", directory("fifo")])
    let mayAnswer = CountingSemaphore(value: 0)
    let pool = BlockingPool(name: "held", width: 1, maximum: 1)
    pool.submit { mayAnswer.wait() }
    let trace = Trace()
    let first = try #require(
      IOChannel(
        type: .random,
        path: BytePath(directory("fifo")),
        oflag: O_RDONLY,
        mode: 0,
        engine: Engine(setting: backend.setting, pool: pool),
        queue: trace.queue,
        cleanupHandler: trace.cleanup()
      )
    )
    var between: [IOChannel] = []
    for _ in 0..<1_000 { between.append(sibling(.stream, of: between.last ?? first, trace)) }
    let last = sibling(.stream, of: between[999], trace)
    last.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    if !isKept { between = [] }
    mayAnswer.signal()
    let entries = await trace.entries(1_003)
    #expect(entries.count { $0 == .delivery(done: true, bytes: nil, error: .illegalSeek) } == 1)
    #expect(entries.count { $0 == .cleanup(of: "sibling", error: .illegalSeek) } == 1_001)
    #expect(entries.count { $0 == .cleanup(error: .illegalSeek) } == 1)
  }

  @Test(
    "A channel of a path that could not be opened has its error",
    arguments: TestBackend.allCases
  )
  func oneOfAPathThatCouldNotBeOpenedHasItsError(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(10), to: "file")
    let trace = Trace()
    let channel = try backend.channel(path: path, trace, O_RDWR | O_CREAT | O_EXCL)
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: nil, error: .fileExists)])
    // By itself it could be opened now.
    try BorrowedDescriptor.workingDirectory.remove(BytePath(path))
    let other = sibling(.stream, of: channel, trace)
    other.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    other.close()
    #expect(
      await trace.entries(3).dropFirst().counts == [
        .delivery(done: true, bytes: nil, error: .fileExists): 1,
        .cleanup(of: "sibling", error: .fileExists): 1,
      ]
    )
    channel.close()
    #expect(await trace.entries(4).last == .cleanup(error: .fileExists))
    #expect(throws: SystemError.noSuchFileOrDirectory) { _ = try openFile(path) }
  }
}
