import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Channels beside plain calls on all file systems")
struct DifferentialTests {
  /// Around the sizes of blocks, of reads that are made at once, of pieces and of steps.
  private static let sizes = [0, 1, 4096, 65_537, 300_000, (1 << 20) + 1, 2_500_000]

  /// What files are made of.
  private static let bytes = pattern(4 << 20)

  private static func name(_ size: Int) -> String { "f\(size)" }

  private static let files = Dictionary(
    uniqueKeysWithValues: sizes.map { (name($0), Array(bytes[..<$0])) }
  )

  /// All that plain reads give, one after the other.
  private static func plainBytes(of path: String) throws -> DataBuffer {
    let file = try openFile(path)
    var bytes = DataBuffer()
    var room = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = try file.borrowed.read(into: &room, at: Int64(bytes.count)), count > 0 {
      bytes.append(DataBuffer(Array(room[..<count])))
    }
    return bytes
  }

  /// Compares without printing megabytes.
  private static func expectEqual(_ found: DataBuffer, _ expected: DataBuffer, _ what: String) {
    let isEqual = found == expected
    #expect(isEqual, "\(what): \(found.count) bytes, \(expected.count) by plain calls")
  }

  /// Reads a file through channels in several ways, and compares it with what plain reads give.
  private static func checkReads(
    of path: String,
    _ backend: TestBackend,
    parts: Int = Tier.count(quick: 10, full: 60)
  ) async throws {
    let expected = try plainBytes(of: path)
    for kind in [IOChannel.StreamType.stream, .random] {
      let place = try AsyncPlace(backend, kind, try openFile(path))
      expectEqual(try await place.channel.readAll(), expected, "\(path), \(kind), \(backend)")
      await place.close()
    }
    let place = try AsyncPlace(backend, .random, try openFile(path))
    var random = SeededGenerator(seed: UInt64(expected.count))
    for _ in 0..<parts {
      let offset = Int.random(in: 0...expected.count, using: &random)
      let length = 1 << Int.random(in: 0...21, using: &random)
      let found = try await place.channel.read(length: length, at: Int64(offset))
      let part = expected.subdata(in: offset..<min(expected.count, offset + length))
      expectEqual(found, part, "\(length) at \(offset) of \(path), \(backend)")
    }
    await place.close()
  }

  /// Writes files through channels, and looks at them from elsewhere.
  private static func checkWrites(
    in directory: String,
    seenIn other: String,
    _ backend: TestBackend
  ) async throws {
    for kind in [IOChannel.StreamType.stream, .random] {
      for size in sizes where size > 0 {
        let name = "written-\(kind)-\(size)"
        var expected = DataBuffer(Array(bytes[5..<5 + size]))
        let file = try openFile("\(directory)/\(name)", [.readWrite, .create])
        let place = try AsyncPlace(backend, kind, file)
        try await place.channel.write(expected)
        if kind == .random {
          // Over what is there, and behind it.
          let new = DataBuffer(Array(bytes[99..<99 + size / 2 + 1]))
          let start = size - size / 4
          try await place.channel.write(new, at: Int64(start))
          expected = expected.subdata(in: 0..<start) + new
        }
        await place.close()
        let found = try plainBytes(of: "\(other)/\(name)")
        expectEqual(found, expected, "\(name) in \(directory), \(backend)")
      }
    }
  }

  @Test(
    "Channels move the bytes of plain calls",
    .ends(withinMinutes: 20),
    arguments: TestBackend.real,
    MountedFileSystem.Kind.allCases
  )
  func channelsMoveTheBytesOfPlainCalls(
    backend: TestBackend,
    kind: MountedFileSystem.Kind
  ) async throws {
    try Need.fileSystems.orSkip()
    try kind.need.orSkip()
    let system = try MountedFileSystem(kind, files: Self.files)
    for (name, bytes) in Self.files {
      let path = "\(system.path)/\(name)"
      Self.expectEqual(try Self.plainBytes(of: path), DataBuffer(bytes), "the test's own \(path)")
      try await Self.checkReads(of: path, backend)
    }
    if kind.isReadOnly { return }
    try await Self.checkWrites(in: system.path, seenIn: system.path, backend)
  }

  private static let ownFiles = [
    "/proc/filesystems", "/proc/kallsyms", "/proc/version", "/sys/kernel/notes",
    "/sys/kernel/btf/vmlinux", "/sys/power/state",
  ]

  @Test(
    "Files that the kernel generates are read completely",
    .ends(withinMinutes: 20),
    arguments: TestBackend.real,
    ownFiles
  )
  func filesOfTheKernelsOwn(backend: TestBackend, path: String) async throws {
    // What the kernel was built without.
    guard (try? openFile(path)) != nil else { return }
    // Each read of a long one of proc makes all lines before it anew.
    try await Self.checkReads(of: path, backend, parts: 4)
  }

  /// All that a server of FUSE may do: no page cache, one that stays, short reads, wrong lengths.
  @Test(
    "FUSE servers with short reads and wrong lengths lose no byte",
    .needs(.fuse),
    .ends(withinMinutes: 20),
    arguments: TestBackend.real,
    FaultFileSystem.Sizes.allCases
  )
  func serversThatReadShortAndNameWrongLengths(
    backend: TestBackend,
    sizes: FaultFileSystem.Sizes
  ) async throws {
    for (isDirect, keepsCache) in [(false, false), (false, true), (true, false), (true, true)] {
      let system = try FaultFileSystem(isDirect: isDirect, keepsCache: keepsCache, sizes: sizes)
      for size in [4096, 300_000, 2_500_000] {
        let file = try openFile("\(system.behind)/\(Self.name(size))", [.writeOnly, .create])
        #expect(try file.borrowed.write(Self.bytes, 0..<size, at: 0) == size)
        // Whether the kernel shows zeros behind the end is chance then, with plain calls, too.
        if sizes == .larger, !isDirect { break }
        // Without direct I/O no server may read short.
        let rules = ["", "read * 1+ short 70000", "read * 2 short 1", "read * 1+ short 4000"]
        for rule in rules.prefix(isDirect ? 4 : 1) {
          try system.setRules(rule)
          try await Self.checkReads(of: "\(system.path)/\(Self.name(size))", backend, parts: 4)
        }
      }
      try system.setRules()
      try await Self.checkWrites(in: system.path, seenIn: system.behind, backend)
      if !isDirect { continue }
      try system.setRules("write * 1+ short 70000")
      try await Self.checkWrites(in: system.path, seenIn: system.behind, backend)
    }
  }

  /// The ring gets only what it was seen to move rightly (`FileSystemKind`).
  @Test("Only known file systems use the ring", arguments: MountedFileSystem.Kind.allCases)
  func onlyKnownFileSystemsUseTheRing(kind: MountedFileSystem.Kind) async throws {
    try Need.ring.orSkip()
    try Need.fileSystems.orSkip()
    try kind.need.orSkip()
    let system = try MountedFileSystem(kind, files: ["f": Self.bytes])
    let file = try openFile("\(system.path)/f")
    let kindOfSystem = FileSystemKind(of: file.borrowed)
    let engine = try TestBackend.ring.makeEngine()
    let trace = Trace()
    let channel = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    #expect(try await channel.readAll().count == Self.bytes.count)
    channel.close()
    await trace.reach(1)
    let isKnown = [.ext4, .xfs, .btrfs, .tmpfs].contains(kind)
    #expect(kindOfSystem.isTrustedOnRing == isKnown)
    #expect((kindOfSystem == .fuse) == kind.isServed)
    #expect(engine.counts.ringBytesRead == (isKnown ? Self.bytes.count : 0))
  }
}
