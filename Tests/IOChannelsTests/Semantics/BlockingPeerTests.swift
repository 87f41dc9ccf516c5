import IOChannels
import IOChannelsEngine
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Files that may block a call after readiness (S175 to S177)", .ends(withinMinutes: 20))
struct BlockingPeerTests {
  private static let text = [UInt8](repeating: UInt8(ascii: "x"), count: 80_000)

  /// Checks that bytes pass from one end of a pipe to a channel at the other.
  private func checkPipe(_ backend: TestBackend, _ value: UInt8) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
    #expect(try ends.writing.borrowed.write([value], 0..<1) == 1)
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 1)])
    channel.close()
    await trace.reach(2)
  }

  /// Waits until a terminal takes no more, of which the program at its master reads nothing.
  private func waitUntilFull(_ terminal: borrowing PipeEnds) async {
    while !terminal.isFull { await Task.yield() }
  }

  @Test(
    "A terminal whose output is stopped keeps no other channel, and a stop ends its write",
    arguments: TestBackend.real
  )
  func stalledTerminal(backend: TestBackend) async throws {
    let terminal = try PipeEnds(terminal: ())
    let trace = Trace()
    let channel = try backend.channel(.stream, terminal.reading, trace)
    let data = DataBuffer(Self.text)
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    await waitUntilFull(terminal)
    try await checkPipe(backend, 1)
    channel.close(flags: .stop)
    await trace.reach { $0.entries.last == .cleanup }
    let ends = trace.entries.filter(\.isDone)
    #expect(ends.count == 1 && ends.allSatisfy { $0.error == .canceled })
  }

  @Test(
    "Many terminals whose output is stopped keep no other terminal",
    arguments: TestBackend.real
  )
  func manyStalledTerminals(backend: TestBackend) async throws {
    let stalled = Trace()
    var channels: [IOChannel] = []
    var numbers: [Int32] = []
    defer { for number in numbers { _ = OwnedDescriptor(owning: number) } }
    for _ in 0..<80 {
      let terminal = try PipeEnds(terminal: ())
      let slave = try terminal.reading.borrowed.duplicate()
      let master = try terminal.writing.borrowed.duplicate()
      channels.append(try backend.channel(.stream, slave, stalled))
      numbers += [slave.release(), master.release()]
      channels.last?.write(
        offset: 0,
        data: DataBuffer(Self.text),
        queue: stalled.queue,
        ioHandler: stalled.handler()
      )
    }
    let terminal = try PipeEnds(terminal: ())
    let trace = Trace()
    let channel = try backend.channel(.stream, terminal.reading, trace)
    let data = DataBuffer(pattern(100))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: nil)])
    channel.close()
    for channel in channels { channel.close(flags: .stop) }
    await stalled.reach { record in record.entries.count { $0 == .cleanup } == 80 }
    await trace.reach(2)
  }

  /// Reads beside a channel with plain calls until a file ends, and counts the bytes.
  private final class OtherReaders: Sendable {
    let count = Atomic<Int>(0)
    /// The number of readers that have ended.
    let ended = Atomic<Int>(0)
    private let group = WorkGroup()

    init(_ number: Int, of descriptor: BorrowedDescriptor) throws {
      for index in 0..<number {
        group.enter()
        try PlatformThread.start(name: "reader-\(index)") { [self] in
          var bytes = [UInt8](repeating: 0, count: 64)
          while let count = try? descriptor.read(into: &bytes), count > 0, bytes[0] != 0 {
            self.count.add(count, ordering: .relaxed)
          }
          ended.wrappingAdd(1, ordering: .releasing)
          group.leave()
        }
      }
    }

    func wait() async throws { try await group.completion() }
  }

  /// Has a channel and other readers share what is written, with a pipe in use at the same time.
  private func checkShared(_ ends: borrowing PipeEnds, _ backend: TestBackend) async throws {
    let readers = 3
    let others = try OtherReaders(readers, of: ends.reading.borrowed)
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.setLimit(lowWater: 1)
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    let line = Array("0123456789\n".utf8)
    for index in 0..<200 {
      #expect(try ends.writing.borrowed.write(line, 0..<line.count) == line.count)
      try await checkPipe(backend, UInt8(index % 250))
      while trace.bytes.count + others.count.load(ordering: .relaxed) < (index + 1) * line.count {
        await Task.yield()
      }
    }
    channel.close(flags: .stop)
    await trace.reach { $0.entries.last == .cleanup }
    // One byte of zero ends each of the others. A read from a socket goes on while more bytes come,
    // so the next byte has to wait for the end of the reader.
    for number in 1...readers {
      #expect(try ends.writing.borrowed.write([0], 0..<1) == 1)
      while others.ended.load(ordering: .acquiring) < number { await Task.yield() }
    }
    try await others.wait()
    #expect(trace.bytes.count + others.count.load(ordering: .relaxed) == 200 * line.count)
    #expect(trace.entries.filter(\.isDone) == [.delivery(done: true, bytes: nil, error: .canceled)])
  }

  @Test(
    "A terminal that others read too keeps no other channel, and a stop ends its read",
    arguments: TestBackend.real
  )
  func sharedTerminal(backend: TestBackend) async throws {
    try await checkShared(try PipeEnds(terminal: ()), backend)
  }

  @Test(
    "A pipe that others read too keeps no other channel, and a stop ends its read",
    arguments: TestBackend.real
  )
  func sharedPipe(backend: TestBackend) async throws {
    try await checkShared(try PipeEnds(), backend)
  }

  @Test(
    "A socket that others read too keeps no other channel, and a stop ends its read",
    arguments: TestBackend.real,
    [false, true]
  )
  func sharedSocket(backend: TestBackend, hasMessages: Bool) async throws {
    try await checkShared(try PipeEnds(socketsWithMessages: hasMessages), backend)
  }

  @Test(
    "A FIFO that others read too keeps no other channel, and a stop ends its read",
    arguments: TestBackend.real
  )
  func sharedFIFO(backend: TestBackend) async throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", place("fifo")])
    try await checkShared(try PipeEnds(fifo: place("fifo")), backend)
  }

  @Test(
    "A read of a file that waits for events ends when it is cancelled, whatever its length",
    .needs(.root, .tracing),
    arguments: TestBackend.real,
    [1, 4096, 1 << 20, 4 << 20]
  )
  func eventFile(backend: TestBackend, length: Int) async throws {
    let instance = try TraceInstance()
    let file = try instance.openPipe()
    let trace = Trace()
    let channel = try backend.channel(.stream, file, trace)
    channel.setLimit(lowWater: 1)
    channel.read(offset: 0, length: length, queue: trace.queue, ioHandler: trace.handler())
    try instance.add("event")
    await trace.reach { !$0.bytes.isEmpty }
    channel.read(offset: 0, length: length, queue: trace.queue, ioHandler: trace.handler())
    try await checkPipe(backend, 2)
    channel.close(flags: .stop)
    await trace.reach { $0.entries.last == .cleanup }
    #expect(trace.entries.contains { $0.isDone && $0.error == .canceled })
  }

  @Test(
    "A file whose server does not answer keeps no other channel",
    .needs(.fuse, .root),
    arguments: TestBackend.real
  )
  func servedFile(backend: TestBackend) async throws {
    let served = try FaultFileSystem(isDirect: true)
    let behind = try openFile("\(served.behind)/file", [.writeOnly, .create])
    #expect(try behind.borrowed.write(pattern(100), 0..<100) == 100)
    let file = try openFile("\(served.path)/file", .readOnly)
    try served.setRules("read file 1+ hang 1")
    let trace = Trace()
    let channel = try backend.channel(.stream, file, trace)
    channel.read(offset: 0, length: 100, queue: trace.queue, ioHandler: trace.handler())
    try served.waitForUse()
    try await checkPipe(backend, 3)
    channel.close(flags: .stop)
    // No signal ends the call of a server that does not answer.
    try served.setRules()
    await trace.reach { $0.entries.last == .cleanup }
    #expect(trace.entries.count(where: \.isDone) == 1)
  }

  @Test(
    "Bytes that a character device transfers at once pass through channels",
    arguments: TestBackend.real
  )
  func memoryDevices(backend: TestBackend) async throws {
    let trace = Trace()
    let zeros = try openFile("/dev/zero", .readOnly)
    let reader = try backend.channel(.stream, zeros, trace)
    reader.read(offset: 0, length: 100_000, queue: trace.queue, ioHandler: trace.handler())
    await trace.reach { $0.entries.last?.isDone == true }
    #expect(trace.bytes == [UInt8](repeating: 0, count: 100_000))
    reader.close()
    let sink = try openFile("/dev/null", .writeOnly)
    let writes = Trace()
    let writer = try backend.channel(.stream, sink, writes)
    let data = DataBuffer(Self.text)
    writer.write(offset: 0, data: data, queue: writes.queue, ioHandler: writes.handler())
    #expect(await writes.entries(1) == [.delivery(done: true, bytes: nil)])
    writer.close()
    await writes.reach(2)
    await trace.reach { $0.entries.last == .cleanup }
  }

  @Test(
    "A task that is cancelled comes back from a read of a terminal that another process reads",
    arguments: TestBackend.real
  )
  func cancelledTask(backend: TestBackend) async throws {
    let terminal = try PipeEnds(terminal: ())
    let others = try OtherReaders(1, of: terminal.reading.borrowed)
    let trace = Trace()
    let channel = try backend.channel(.stream, terminal.reading, trace)
    channel.setLimit(lowWater: 1)
    let task = Task { try? await channel.read(upTo: 100) }
    for index in 1...50 {
      #expect(try terminal.writing.borrowed.write([1], 0..<1) == 1)
      while terminal.reading.borrowed.isReadable { await Task.yield() }
      if others.count.load(ordering: .relaxed) < index { break }
    }
    task.cancel()
    _ = await task.value
    channel.close(flags: .stop)
    await trace.reach { $0.entries.last == .cleanup }
    #expect(try terminal.writing.borrowed.write([0], 0..<1) == 1)
    try await others.wait()
  }
}
