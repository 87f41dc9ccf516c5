import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Direct I/O of any offset and length (S141)")
struct DirectTests {
  private static let size = 3_000_123
  /// Those that answer in another way, in the full tier only.
  private static let kinds: [LoopImage.Kind] =
    Tier.current == .full ? LoopImage.Kind.allCases : [.ext4]

  /// A file on a disk whose bytes are there, opened for reading past the page cache.
  private final class Place {
    let image: LoopImage
    let descriptor: OwnedDescriptor

    init(_ kind: LoopImage.Kind) throws {
      switch kind {
      case .ext4: try Need.loop.orSkip()
      case .xfs: try Need.xfs.orSkip()
      case .btrfs: try Need.btrfs.orSkip()
      }
      image = try LoopImage(kind, megabytes: kind == .ext4 ? 32 : 320)
      let path = "\(image.path)/file"
      let file = try openFile(path, [.writeOnly, .create])
      _ = try file.borrowed.write(pattern(DirectTests.size), 0..<DirectTests.size)
      try file.borrowed.synchronize(dataOnly: false)
      descriptor = try openFile(path, [.direct, .readWrite])
    }

    /// The bytes of the file as others see them.
    func bytes() throws -> [UInt8] {
      let file = try openFile("\(image.path)/file")
      var bytes = [UInt8](repeating: 0, count: 1 << 23)
      return try Array(bytes[..<file.borrowed.read(into: &bytes)])
    }
  }

  @Test("Any offset and length is read", arguments: TestBackend.allCases, kinds)
  func anyOffsetAndLengthIsRead(
    backend: TestBackend,
    kind: LoopImage.Kind
  ) async throws {
    let place = try Place(kind)
    let trace = Trace()
    let channel = try backend.channel(.random, place.descriptor, trace)
    let size = Self.size
    let cases: [(offset: Int, length: Int)] = [
      (0, 4096), (4096, 8192), (1, 1), (4095, 2), (4097, 4095), (100, 2_500_000),
      (size - 1, 1), (size - 10, 4096), (size - 123 - 4096, 4096), (size, 10), (size + 5000, 10),
      (0, size), (7, .max),
    ]
    for (offset, length) in cases {
      let data = try await channel.read(length: length, at: Int64(offset))
      let count = max(0, min(length, size - offset))
      #expect([UInt8](data) == pattern(count, from: offset), "\(length) at \(offset)")
    }
    var random = SeededGenerator(seed: 17)
    for _ in 0..<40 {
      let offset = Int.random(in: 0..<size, using: &random)
      let length = Int.random(in: 1...200_000, using: &random)
      let data = try await channel.read(length: length, at: Int64(offset))
      #expect([UInt8](data) == pattern(min(length, size - offset), from: offset))
    }
    channel.close()
    await trace.reach(1)
    _ = place.descriptor.rawValue
  }

  @Test("A stream continues inside of a block", arguments: TestBackend.allCases, kinds)
  func aStreamGoesOnInsideOfABlock(
    backend: TestBackend,
    kind: LoopImage.Kind
  ) async throws {
    let place = try Place(kind)
    let trace = Trace()
    let channel = try backend.channel(.stream, place.descriptor, trace)
    channel.setLimit(highWater: 300_001)
    var start = 0
    for length in [1, 5000, 4096, 1_500_000, .max] {
      let done = Trace()
      channel.read(offset: 0, length: length, queue: done.queue, ioHandler: done.handler())
      let count = min(length, Self.size - start)
      await done.reach { $0.bytes.count >= count }
      #expect(done.bytes == pattern(count, from: start))
      start += count
    }
    channel.close()
    await trace.reach(1)
    #expect(try place.descriptor.borrowed.position() == Int64(Self.size))
  }

  @Test("Any offset and length is written", arguments: TestBackend.allCases, kinds)
  func anyOffsetAndLengthIsWritten(
    backend: TestBackend,
    kind: LoopImage.Kind
  ) async throws {
    let place = try Place(kind)
    let trace = Trace()
    let channel = try backend.channel(.random, place.descriptor, trace)
    var model = pattern(Self.size)
    var random = SeededGenerator(seed: 23)
    var cases = [(0, 4096), (1, 1), (4095, 2), (100, 2_500_000), (Self.size, 5000), (8192, 65_536)]
    for _ in 0..<20 {
      let offset = Int.random(in: 0..<Self.size, using: &random)
      cases.append((offset, .random(in: 1...150_000, using: &random)))
    }
    for (number, (offset, length)) in cases.enumerated() {
      let bytes = pattern(length, from: 7 * number)
      // Memory that no disk would take.
      let data = DataBuffer([0] + bytes).subdata(in: 1..<length + 1)
      try await channel.write(data, at: Int64(offset))
      if model.count < offset + length {
        model += [UInt8](repeating: 0, count: offset + length - model.count)
      }
      model.replaceSubrange(offset..<offset + length, with: bytes)
    }
    #expect(try place.bytes() == model)
    #expect([UInt8](try await channel.readAll()) == model)
    channel.close()
    await trace.reach(1)
    _ = place.descriptor.rawValue
  }

  @Test("A stream writes pieces of any length", arguments: TestBackend.allCases, kinds)
  func aStreamWritesPiecesOfAnyLength(
    backend: TestBackend,
    kind: LoopImage.Kind
  ) async throws {
    let place = try Place(kind)
    let trace = Trace()
    let channel = try backend.channel(.stream, place.descriptor, trace)
    try await channel.truncate(toLength: 0)
    try await channel.withBufferedWriter(capacity: 70_001) { writer in
      for start in stride(from: 0, to: 1_000_000, by: 5001) {
        let count = min(5001, 1_000_000 - start)
        try await writer.append(DataBuffer(pattern(count, from: start)))
      }
    }
    #expect(try place.bytes() == pattern(1_000_000))
    channel.close()
    await trace.reach(1)
    _ = place.descriptor.rawValue
  }

  @Test("Appends go to the end of the file, wherever it is", arguments: TestBackend.allCases, kinds)
  func appendsGoToTheEndWhereverThatIs(
    backend: TestBackend,
    kind: LoopImage.Kind
  ) async throws {
    let place = try Place(kind)
    let file = try openFile("\(place.image.path)/file", [.direct, .writeOnly, .append])
    let trace = Trace()
    let channel = try backend.channel(.stream, file, trace)
    try await channel.write(DataBuffer(pattern(8192, from: Self.size)))
    try await channel.write(DataBuffer(pattern(10, from: Self.size + 8192)))
    #expect(try place.bytes() == pattern(Self.size + 8202))
    channel.close()
    await trace.reach(1)
    _ = file.rawValue
  }

  @Test("Appends stay complete when memory is short", arguments: TestBackend.allCases)
  func appendsStayWholeWhenMemoryIsShort(backend: TestBackend) async throws {
    let place = try Place(.ext4)
    let file = try openFile("\(place.image.path)/new", [.direct, .writeOnly, .append, .create])
    let trace = Trace()
    let channel = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: try backend.makeEngine(budget: MemoryBudget(limit: 4 << 20)),
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    let (count, length) = (6, 2 << 20)
    for number in 0..<count {
      channel.write(
        offset: 0,
        data: DataBuffer([UInt8](repeating: UInt8(number), count: length)),
        queue: trace.queue,
        ioHandler: trace.handler()
      )
    }
    channel.close()
    await trace.reach { $0.entries.contains(.cleanup) }
    let written = try openFile("\(place.image.path)/new")
    var bytes = [UInt8](repeating: 255, count: count * length + 1)
    #expect(try written.borrowed.read(into: &bytes) == count * length)
    for number in 0..<count {
      let part = bytes[number * length..<(number + 1) * length]
      #expect(part.allSatisfy { $0 == part.first }, "write \(number)")
    }
    _ = file.rawValue
  }

  @Test("Parts of blocks are refused where there is no /proc", arguments: ["uring", "threads"])
  func withoutProcessInformation(backend: String) throws {
    try Need.root.orSkip()
    let place = try Place(.ext4)
    let outcome = try run(
      [
        "unshare", "-m", "bash", "-ec",
        """
        "$PROGRAM" transfer direct file
        # The program finds its arguments in the rest.
        mount -t tmpfs none /proc/$$/fd
        mount -t tmpfs none /proc/$$/task
        exec "$PROGRAM" transfer direct file
        """,
      ],
      environment: [
        "PROGRAM": BuiltProgram.channeltool.path, "IOCHANNELS_BACKEND": backend,
        "ASAN_OPTIONS": "detect_leaks=0",
      ],
      directory: place.image.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText == "0\n22\n")
  }
}
