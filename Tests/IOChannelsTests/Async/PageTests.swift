import IOChannels
import TestSupport
import Testing

/// What channels do with the page cache, on a disk: S159 to S161.
@Suite struct PageTests {
  private static let pageCount = 1024
  private static let size = pageCount << 12

  /// A file on ext4 whose bytes are on the disk, and a channel of it.
  private final class Place: Sendable {
    let image: LoopImage
    let file: FileDescriptor
    let trace = Trace()
    let channel: IOChannel

    init(_ backend: TestBackend) throws {
      try Need.loop.orSkip()
      image = try LoopImage(.ext4, megabytes: 32)
      file = try openFile("\(image.path)/file", [.readWrite, .create])
      _ = try file.borrowed.write(pattern(PageTests.size), 0..<PageTests.size, at: 0)
      try file.borrowed.synchronize(dataOnly: false)
      channel = try backend.channel(.random, file, trace)
    }

    func cachedPages() throws -> Int { try TestSupport.cachedPages(of: file.borrowed) }

    /// Has the kernel forget what is on the disk.
    func forget() async throws {
      try await channel.advise(.dontNeed)
      #expect(try cachedPages() == 0)
    }

    func close() async {
      channel.close()
      await trace.reach(1)
    }
  }

  /// Whether these are the bytes; a difference of large arrays would take minutes to show.
  private func areBytes(_ data: DataBuffer, from start: Int, count: Int) -> Bool {
    [UInt8](data) == pattern(count, from: start)
  }

  @Test(arguments: TestBackend.allCases)
  func uncachedReadsLeaveNothingInMemory(backend: TestBackend) async throws {
    let place = try Place(backend)
    try await place.forget()
    let cached = try await place.channel.readAll()
    #expect(areBytes(cached, from: 0, count: Self.size))
    #expect(try place.cachedPages() > Self.pageCount / 2)
    try await place.forget()
    place.channel.setUncached(true)
    let data = try await place.channel.readAll()
    #expect(areBytes(data, from: 0, count: Self.size))
    // A page that two reads meet at may stay.
    #expect(try place.cachedPages() < Self.pageCount / 4)
    for (offset, count) in [(1000, 2_000_000), (5, 70_000), (Self.size - 10, 10)] {
      let part = try await place.channel.read(length: count, at: Int64(offset))
      #expect(areBytes(part, from: offset, count: count), "\(count) at \(offset)")
    }
    place.channel.setUncached(false)
    let again = try await place.channel.readAll()
    #expect(areBytes(again, from: 0, count: Self.size))
    #expect(try place.cachedPages() > Self.pageCount / 2)
    await place.close()
  }

  @Test(arguments: TestBackend.allCases)
  func uncachedWritesHaveTheirBytes(backend: TestBackend) async throws {
    let place = try Place(backend)
    place.channel.setUncached(true)
    for (offset, count) in [(0, 3_000_000), (4095, 2), (100_000, 4096)] {
      try await place.channel.write(DataBuffer(pattern(count, from: 7)), at: Int64(offset))
      let data = try await place.channel.read(length: count, at: Int64(offset))
      #expect(areBytes(data, from: 7, count: count), "\(count) at \(offset)")
    }
    await place.close()
  }

  @Test(arguments: TestBackend.allCases)
  func whereNothingIsLeftOutItIsDoneAsEver(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory(in: "/dev/shm")
    let file = try openFile("\(directory.path)/file", [.readWrite, .create])
    let trace = Trace()
    let channel = try backend.channel(.random, file, trace)
    channel.setUncached(true)
    for round in 0..<2 {
      try await channel.write(DataBuffer(pattern(2_000_000, from: round)))
      let data = try await channel.readAll()
      #expect(areBytes(data, from: round, count: 2_000_000))
    }
    channel.close()
    await trace.reach(1)
    _ = file.rawValue
  }

  @Test(arguments: TestBackend.allCases)
  func whatIsWrittenBackMayBeForgotten(backend: TestBackend) async throws {
    let place = try Place(backend)
    try await place.channel.write(DataBuffer(pattern(Self.size, from: 3)))
    #expect(try place.cachedPages() > Self.pageCount / 2)
    try await place.channel.writeBack(0..<Int64(Self.size), waiting: true)
    try await place.forget()
    let data = try await place.channel.readAll()
    #expect(areBytes(data, from: 3, count: Self.size))
    try await place.channel.writeBack()
    try await place.channel.writeBack(7..<7, waiting: true)
    await place.close()
  }

  @Test(arguments: TestBackend.allCases)
  func whatWillBeNeededIsRead(backend: TestBackend) async throws {
    let place = try Place(backend)
    try await place.forget()
    for advice in [FileAdvice.sequential, .normal, .noReuse] {
      try await place.channel.advise(advice)
    }
    #expect(try place.cachedPages() == 0)
    // Now a read alone brings its own page and no other.
    try await place.channel.advise(.random)
    _ = try await place.channel.read(length: 10, at: 1 << 20)
    #expect(try place.cachedPages() == 1)
    try await place.channel.advise(.willNeed, for: 0..<65_536)
    // The last of the pages comes with others.
    _ = try await place.channel.read(length: 10, at: 65_000)
    #expect(try place.cachedPages() > 2)
    await place.close()
  }

  @Test(arguments: TestBackend.allCases)
  func whatHasNoPagesIsAnError(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    let unknown = await #expect(throws: IOError.self) { try await channel.advise(.willNeed) }
    #expect(unknown?.reason == .illegalSeek && unknown?.operation == .advise)
    let error = await #expect(throws: IOError.self) { try await channel.writeBack() }
    #expect(error?.reason == .illegalSeek && error?.operation == .writeBack)
    channel.close()
    await trace.reach(1)
    _ = ends.writing.rawValue
  }
}
