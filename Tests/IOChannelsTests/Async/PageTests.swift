import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Page cache of channels (S159 to S161)")
struct PageTests {
  private static let size = 1024 << 12

  /// A file on ext4 whose bytes are on the disk, and a channel of it.
  private final class Place: Sendable {
    let image: LoopImage
    let file: OwnedDescriptor
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

    func cachedPages() throws -> Int { try IOChannelsTestSupport.cachedPages(of: file.borrowed) }

    /// Has the kernel forget what is on the disk; a page that it looks at itself at that moment
    /// stays, and goes later.
    func forget() async throws {
      for _ in 0..<100 {
        try await channel.advise(.dontNeed)
        if try cachedPages() == 0 { return }
      }
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

  @Test("Uncached reads leave no pages in memory", arguments: TestBackend.allCases)
  func uncachedReadsLeaveNothingInMemory(backend: TestBackend) async throws {
    let place = try Place(backend)
    // One transfer, and nothing ahead of it: what is read ahead may stay.
    let count = 1 << 20
    try await place.channel.advise(.random)
    // Whoever empties the cache of the whole machine meanwhile has it read once more.
    for _ in 0..<10 where try place.cachedPages() < count >> 12 {
      let cached = try await place.channel.read(length: count, at: 0)
      #expect(areBytes(cached, from: 0, count: count))
    }
    #expect(try place.cachedPages() > 0)
    place.channel.isUncached = true
    // A page that somebody uses at the moment may stay.
    for round in 0..<10 {
      try await place.forget()
      let data = try await place.channel.read(length: count, at: 0)
      #expect(areBytes(data, from: 0, count: count))
      let left = try place.cachedPages()
      if left == 0 { break }
      #expect(round < 9, "\(left) pages stay each time")
    }
    for (offset, count) in [(1000, 2_000_000), (5, 70_000), (Self.size - 10, 10)] {
      let part = try await place.channel.read(length: count, at: Int64(offset))
      #expect(areBytes(part, from: offset, count: count), "\(count) at \(offset)")
    }
    await place.close()
  }

  @Test("Uncached writes are complete", arguments: TestBackend.allCases)
  func uncachedWritesHaveTheirBytes(backend: TestBackend) async throws {
    let place = try Place(backend)
    place.channel.isUncached = true
    for (offset, count) in [(0, 3_000_000), (4095, 2), (100_000, 4096)] {
      try await place.channel.write(DataBuffer(pattern(count, from: 7)), at: Int64(offset))
      let data = try await place.channel.read(length: count, at: Int64(offset))
      #expect(areBytes(data, from: 7, count: count), "\(count) at \(offset)")
    }
    await place.close()
  }

  @Test(
    "File systems without uncached transfers use the page cache",
    arguments: TestBackend.allCases
  )
  func whereNothingIsLeftOutItIsDoneAsEver(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory(in: "/dev/shm")
    let file = try openFile("\(directory.path)/file", [.readWrite, .create])
    let trace = Trace()
    let channel = try backend.channel(.random, file, trace)
    #expect(!channel.isUncached)
    channel.isUncached = true
    #expect(channel.isUncached)
    for round in 0..<2 {
      try await channel.write(DataBuffer(pattern(2_000_000, from: round)), at: 0)
      let data = try await channel.readAll(at: 0)
      #expect(areBytes(data, from: round, count: 2_000_000))
    }
    channel.close()
    await trace.reach(1)
    _ = file.rawValue
  }

  @Test("Pages that are written back may be dropped", arguments: TestBackend.allCases)
  func whatIsWrittenBackMayBeForgotten(backend: TestBackend) async throws {
    let place = try Place(backend)
    try await place.channel.write(DataBuffer(pattern(Self.size, from: 3)))
    try await place.channel.writeBack(0..<Int64(Self.size), waiting: true)
    try await place.forget()
    let data = try await place.channel.readAll(at: 0)
    #expect(areBytes(data, from: 3, count: Self.size))
    try await place.channel.writeBack()
    try await place.channel.writeBack(7..<7, waiting: true)
    await place.close()
  }

  @Test("Announced pages are read", arguments: TestBackend.allCases)
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
    #expect(try place.cachedPages() <= 1)
    // Whoever empties the cache of the whole machine meanwhile has it tried once more.
    for _ in 0..<10 where try place.cachedPages() <= 2 {
      try await place.channel.advise(.willNeed, for: 0..<65_536)
      // The last of the pages comes with others.
      _ = try await place.channel.read(length: 10, at: 65_000)
    }
    #expect(try place.cachedPages() > 2)
    await place.close()
  }

  @Test(
    "Page requests for other files than regular ones are errors",
    arguments: TestBackend.allCases
  )
  func whatHasNoPagesIsAnError(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    let unknown = await #expect(throws: IOChannelError.self) { try await channel.advise(.willNeed) }
    #expect(unknown?.reason == .illegalSeek && unknown?.operation == .advise)
    let error = await #expect(throws: IOChannelError.self) { try await channel.writeBack() }
    #expect(error?.reason == .illegalSeek && error?.operation == .writeBack)
    channel.close()
    await trace.reach(1)
    _ = ends.writing.rawValue
  }
}
