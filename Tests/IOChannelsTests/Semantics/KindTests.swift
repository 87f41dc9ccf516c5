import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Descriptors of all kinds (S3, S11 to S13, S21, S37)")
struct KindTests {
  private func open(_ path: String, _ flags: OpenFlags = .readOnly) throws -> OwnedDescriptor {
    try BorrowedDescriptor.workingDirectory.open(BytePath(path), flags)
  }

  /// One that goes both ways: a read that waits does not hold a write back.
  private func check(_ ends: borrowing PipeEnds, _ backend: TestBackend) async throws {
    for _ in 0..<2 {
      let trace = Trace()
      let channel = try backend.channel(.stream, ends.reading, trace)
      channel.read(offset: -5, length: 6, queue: trace.queue, ioHandler: trace.handler("r"))
      let data = DataBuffer(pattern(100))
      channel.write(offset: 3, data: data, queue: trace.queue, ioHandler: trace.handler("w"))
      #expect(await trace.entries(1) == [.delivery(of: "w", done: true, bytes: nil)])
      let count = try ends.writing.borrowed.write(pattern(6), 0..<6)
      #expect(count == 6)
      #expect(await trace.entries(2).last == .delivery(of: "r", done: true, bytes: 6))
      #expect(trace.bytes == pattern(6))
      let peer = Trace()
      let other = try backend.channel(.stream, ends.writing, peer)
      other.read(offset: 0, length: 100, queue: peer.queue, ioHandler: peer.handler())
      #expect(await peer.entries(1) == [.delivery(done: true, bytes: 100)])
      #expect(peer.bytes == pattern(100))
      channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler("s"))
      channel.close(flags: .stop)
      other.close()
      #expect(
        await trace.entries(4).suffix(2) == [
          .delivery(of: "s", done: true, bytes: nil, error: .canceled), .cleanup,
        ]
      )
      #expect(await peer.entries(2).last == .cleanup)
      #expect(try !ends.reading.borrowed.statusFlags().contains(.nonBlocking))
    }
    let trace = Trace()
    let random = try backend.channel(.random, ends.reading, trace)
    #expect(await trace.entries(1) == [.cleanup(error: .illegalSeek)])
    random.close()
  }

  @Test("Sockets transfer all bytes", arguments: TestBackend.allCases)
  func sockets(backend: TestBackend) async throws {
    try await check(try PipeEnds(socketsWithMessages: false), backend)
  }

  @Test("Terminals transfer all bytes", arguments: TestBackend.allCases)
  func terminals(backend: TestBackend) async throws {
    try await check(try PipeEnds(terminal: ()), backend)
  }

  @Test("A socket whose peer is gone reports that at once", arguments: TestBackend.allCases)
  func aSocketWhosePeerIsGoneTellsAtOnce(backend: TestBackend) async throws {
    let socket = try PipeEnds(socketsWithMessages: false).closeWriting()
    let trace = Trace()
    let channel = try backend.channel(.stream, socket, trace)
    let data = DataBuffer(pattern(10))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 10, error: .brokenPipe)])
    channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(2).last == .delivery(done: true, bytes: 0))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(3).last == .delivery(done: true, bytes: 10, error: .brokenPipe))
    channel.close()
    await trace.reach(4)
  }

  /// The reference never ends such a write, and keeps a processor busy meanwhile.
  @Test("A write that waits ends when the reader goes", arguments: TestBackend.allCases)
  func aWriteThatWaitsEndsWhenTheReaderGoes(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let number = try ends.writing.borrowed.duplicate()
    let trace = Trace()
    let channel = try backend.channel(.stream, number, trace)
    let data = DataBuffer(pattern(1 << 20))
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    // Nothing more goes in when 64 KiB are in it.
    while !ends.reading.borrowed.isReadable { await Task.yield() }
    _ = ends.closeReading()
    let entry = await trace.entries(1)[0]
    #expect(entry.isDone && entry.error == .brokenPipe, "\(entry)")
    #expect(entry.bytes ?? 0 >= (1 << 20) - (64 << 10), "\(entry)")
    channel.close()
    await trace.reach(2)
  }

  @Test(
    "Character devices transfer bytes",
    arguments: TestBackend.allCases,
    [IOChannel.StreamType.stream, .random]
  )
  func characterDevices(backend: TestBackend, kind: IOChannel.StreamType) async throws {
    let null = try open("/dev/null", .readWrite)
    let zero = try open("/dev/zero", .readWrite)
    let trace = Trace()
    let nothing = try backend.channel(kind, null, trace, wholeTransfers: true)
    nothing.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 0)])
    let data = DataBuffer(pattern(3_000_000))
    nothing.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(2).last == .delivery(done: true, bytes: nil))
    nothing.close()
    #expect(await trace.entries(3).last == .cleanup)
    let zeros = Trace()
    let channel = try backend.channel(kind, zero, zeros, wholeTransfers: true)
    channel.read(offset: 5, length: 2_500_000, queue: zeros.queue, ioHandler: zeros.handler())
    channel.close()
    #expect(
      await zeros.entries(4) == [
        .delivery(done: false, bytes: 1_048_576), .delivery(done: false, bytes: 1_048_576),
        .delivery(done: true, bytes: 402_848), .cleanup,
      ]
    )
    #expect(zeros.bytes == [UInt8](repeating: 0, count: 2_500_000))
  }

  @Test("A block device transfers bytes", .needs(.loop), arguments: TestBackend.allCases)
  func aBlockDevice(backend: TestBackend) async throws {
    let image = try LoopImage(.ext4, megabytes: 8)
    let device = try runSuccessfully(["findmnt", "-n", "-o", "SOURCE", image.path])
    let file = try open(String(device.dropLast()))
    let trace = Trace()
    let channel = try backend.channel(.random, file, trace)
    // The magic number of ext4, 1080 bytes into the device.
    channel.read(offset: 1080, length: 2, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 2)])
    #expect(trace.bytes == [0x53, 0xEF])
    channel.close()
    await trace.reach(2)
    let all = Trace()
    let stream = try backend.channel(.stream, file, all)
    stream.setLimit(lowWater: .max)
    stream.read(offset: 0, length: .max, queue: all.queue, ioHandler: all.handler())
    stream.close()
    #expect(
      await all.entries(3) == [
        .delivery(done: false, bytes: 8 << 20), .delivery(done: true, bytes: 0), .cleanup,
      ]
    )
  }

  @Test(
    "Files with a wrong length are read completely",
    arguments: TestBackend.allCases,
    [IOChannel.StreamType.stream, .random]
  )
  func filesWhoseLengthIsMadeUp(backend: TestBackend, kind: IOChannel.StreamType) async throws {
    let file = try open("/proc/self/maps")
    let trace = Trace()
    let channel = try backend.channel(kind, file, trace)
    channel.setLimit(lowWater: .max)
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    channel.close()
    let entries = await trace.entries(3)
    #expect(entries.suffix(2) == [.delivery(done: true, bytes: 0), .cleanup])
    #expect(trace.bytes.count > 4096)
    #expect(trace.bytes.last == UInt8(ascii: "\n"))
  }

  /// The files that trace the kernel are such files.
  @Test(
    "Regular files without a position are read (S4)",
    .needs(.root, .fuse),
    arguments: TestBackend.allCases
  )
  func regularFilesWithoutAPosition(backend: TestBackend) async throws {
    let files = try FaultFileSystem(hasPositions: false)
    let bytes = pattern(2_500_000)
    do {
      let file = try open("\(files.path)/f", [.writeOnly, .create])
      #expect(throws: SystemError.illegalSeek) { try file.borrowed.position() }
      let trace = Trace()
      let channel = try backend.channel(.stream, file, trace)
      channel.setLimit(lowWater: .max)
      channel.write(
        offset: 0,
        data: DataBuffer(bytes),
        queue: trace.queue,
        ioHandler: trace.handler()
      )
      channel.close()
      #expect(await trace.entries(2) == [.delivery(done: true, bytes: nil), .cleanup])
    }
    let file = try open("\(files.path)/f")
    let trace = Trace()
    let channel = try backend.channel(.stream, file, trace)
    channel.read(offset: 0, length: 1_000_000, queue: trace.queue, ioHandler: trace.handler())
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    channel.close()
    await trace.reach { $0.entries.contains(.cleanup) }
    #expect(trace.bytes == bytes)
    let other = Trace()
    let random = try backend.channel(.random, file, other)
    random.close()
    #expect(await other.entries(1) == [.cleanup(error: .illegalSeek)])
  }
}
