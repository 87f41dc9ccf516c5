import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Transfers without a channel (S34, S35, S40, S138)")
struct OneShotTests {
  private func read(
    _ number: Int32,
    _ length: Int,
    _ trace: Trace,
    _ backend: TestBackend,
    _ name: String = ""
  ) throws {
    IOChannel.read(
      fromFileDescriptor: number,
      maxLength: length,
      engine: try backend.engine(),
      runningHandlerOn: trace.queue
    ) { data, error in
      let error = SystemError(errno: error)
      trace.add(.transfer(of: name, bytes: data.count, error: error), [UInt8](data))
    }
  }

  private func write(
    _ number: Int32,
    _ data: DataBuffer,
    _ trace: Trace,
    _ backend: TestBackend
  ) throws {
    IOChannel.write(
      toFileDescriptor: number,
      data: data,
      engine: try backend.engine(),
      runningHandlerOn: trace.queue
    ) { data, error in
      trace.add(.transfer(bytes: data?.count, error: SystemError(errno: error)))
    }
  }

  private func send(_ bytes: [UInt8], to descriptor: BorrowedDescriptor) throws {
    #expect(try descriptor.write(bytes, 0..<bytes.count) == bytes.count)
  }

  @Test("A file is read to its end or the length", arguments: TestBackend.allCases)
  func aFileIsReadToItsEndOrTheLength(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let content = pattern(5 << 20)
    let file = try openFile(directory.write(content, to: "file"))
    let trace = Trace()
    try read(file.rawValue, 3, trace, backend)
    try read(file.rawValue, .max, trace, backend)
    try read(file.rawValue, .max, trace, backend)
    try read(file.rawValue, 0, trace, backend)
    #expect(
      Set(await trace.entries(4)) == [
        .transfer(bytes: 3), .transfer(bytes: (5 << 20) - 3), .transfer(bytes: 0),
      ]
    )
    #expect(trace.bytes == content)
  }

  @Test("A pipe is read as far as it has bytes", arguments: TestBackend.allCases)
  func aPipeIsReadAsFarAsItHasSomething(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    try send(pattern(5000), to: ends.writing.borrowed)
    try read(ends.reading.rawValue, .max, trace, backend)
    #expect(await trace.entries(1) == [.transfer(bytes: 5000)])
    // Nothing is there, so this one waits.
    try read(ends.reading.rawValue, .max, trace, backend)
    try send(pattern(7, from: 5000), to: ends.writing.borrowed)
    #expect(await trace.entries(2).last == .transfer(bytes: 7))
    #expect(trace.bytes == pattern(5007))
    let reading = ends.closeWriting()
    try read(reading.rawValue, .max, trace, backend)
    #expect(await trace.entries(3).last == .transfer(bytes: 0))
  }

  @Test("All bytes of a pipe are read", arguments: TestBackend.allCases)
  func allThatAPipeHoldsIsRead(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    // More than a step, so that one transfer does not empty it.
    let count = 3 << 20
    let writer = try backend.channel(.stream, ends.writing, Trace())
    let (writes, trace) = (Trace(), Trace())
    writer.write(
      offset: 0,
      data: DataBuffer(pattern(count)),
      queue: writes.queue,
      ioHandler: writes.handler()
    )
    var (total, calls) = (0, 0)
    while total < count {
      try read(ends.reading.rawValue, count - total, trace, backend)
      calls += 1
      await trace.reach(calls)
      #expect(trace.bytes.count > total)
      total = trace.bytes.count
    }
    #expect(trace.bytes == pattern(count))
    writer.close()
    await writes.reach(1)
  }

  @Test("Messages that wait are read together", arguments: TestBackend.allCases)
  func messagesThatWaitAreReadTogether(backend: TestBackend) async throws {
    let ends = try PipeEnds(socketsWithMessages: true)
    let trace = Trace()
    for index in 0..<3 { try send(pattern(10, from: index * 10), to: ends.writing.borrowed) }
    try read(ends.reading.rawValue, .max, trace, backend)
    #expect(await trace.entries(1) == [.transfer(bytes: 30)])
    #expect(trace.bytes == pattern(30))
  }

  @Test("Errors come with the remaining bytes", arguments: TestBackend.allCases)
  func errorsComeWithWhatIsLeft(backend: TestBackend) async throws {
    let trace = Trace()
    try read(99_998, 10, trace, backend)
    #expect(await trace.entries(1) == [.transfer(bytes: 0, error: .badFileDescriptor)])
    try write(99_998, DataBuffer(pattern(3)), trace, backend)
    #expect(await trace.entries(2).last == .transfer(bytes: 3, error: .badFileDescriptor))
    let lonely = try PipeEnds().loseReader()
    try write(lonely.rawValue, DataBuffer(pattern(4)), trace, backend)
    #expect(await trace.entries(3).last == .transfer(bytes: 4, error: .brokenPipe))
    let directory = try TemporaryDirectory()
    let folder = try openFile(directory.path, .directory)
    try read(folder.rawValue, 10, trace, backend)
    #expect(await trace.entries(4).last == .transfer(bytes: 0, error: .isDirectory))
  }

  @Test("All bytes are written", arguments: TestBackend.allCases)
  func everythingIsWritten(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let (writes, reads) = (Trace(), Trace())
    let data = DataBuffer(pattern(300_000))
    try write(ends.writing.rawValue, data, writes, backend)
    try write(ends.writing.rawValue, .empty, writes, backend)
    let channel = try backend.channel(.stream, ends.reading, reads)
    channel.setLimit(lowWater: .max)
    channel.read(offset: 0, length: 300_000, queue: reads.queue, ioHandler: reads.handler())
    #expect(await reads.entries(1) == [.delivery(done: true, bytes: 300_000)])
    #expect(reads.bytes == pattern(300_000))
    #expect(await writes.entries(2) == [.transfer(bytes: nil), .transfer(bytes: nil)])
    channel.close()
    await reads.reach(2)
  }

  /// The number is a file's at once, which must not be taken for the pipe, and then a pipe's again,
  /// for which somebody has to wait anew.
  @Test("The handler may close the descriptor", arguments: TestBackend.allCases)
  func theHandlerMayCloseTheDescriptor(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(10), to: "file"))
    let ends = try PipeEnds()
    // The kernel gives the lowest number that is free, so nothing else gets the highest ones while
    // this one is closed, however much other tests have open.
    let place = try #require(TestBackend.allCases.firstIndex(of: backend))
    let number = Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 65_536) - 1 - place)
    for _ in 0..<200 {
      try #require(fcntl(ends.reading.rawValue, F_DUPFD_CLOEXEC, number) == number)
      let trace = Trace()
      try read(number, 1, trace, backend)
      try send([1], to: ends.writing.borrowed)
      #expect(await trace.entries(1) == [.transfer(bytes: 1)])
      _ = OwnedDescriptor(owning: number)
      try #require(fcntl(file.rawValue, F_DUPFD_CLOEXEC, number) == number)
      try file.borrowed.setPosition(0)
      try read(number, 5, trace, backend)
      #expect(await trace.entries(2).last == .transfer(bytes: 5))
      _ = OwnedDescriptor(owning: number)
      #expect(try file.borrowed.position() == 5)
    }
  }

  @Test(
    "A transfer waits for earlier ones and ends while channels are open",
    arguments: TestBackend.allCases
  )
  func itTakesItsTurnAndReportsWhileChannelsAreOpen(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 4, queue: trace.queue, ioHandler: trace.handler())
    try read(ends.reading.rawValue, 3, trace, backend, "a")
    try read(ends.reading.rawValue, .max, trace, backend, "b")
    try send(pattern(9), to: ends.writing.borrowed)
    #expect(
      await trace.entries(3) == [
        .delivery(done: true, bytes: 4), .transfer(of: "a", bytes: 3), .transfer(of: "b", bytes: 2),
      ]
    )
    #expect(trace.bytes == pattern(9))
    // A channel's cleanup waits for one that is under way.
    try read(ends.reading.rawValue, .max, trace, backend, "c")
    channel.close()
    try send(pattern(1), to: ends.writing.borrowed)
    #expect(await trace.entries(5).suffix(2) == [.transfer(of: "c", bytes: 1), .cleanup])
  }
}
