import IOChannels
import RequestEngine
import TestSupport
import Testing

/// The bytes that channels move are those that plain calls move, whatever the file lies on.
@Suite struct DifferentialTests {
  /// Around the sizes of blocks, of reads that are made at once, of pieces and of steps.
  static let sizes = [0, 1, 300, 4096, 65_537, 300_000, (1 << 20) + 1, 2_500_000]

  /// The file systems that need no more than packages, beside those of the kernel's own.
  static let kinds = MountedFileSystem.Kind.allCases

  private static func name(_ size: Int) -> String { "f\(size)" }

  private static let files = Dictionary(uniqueKeysWithValues: sizes.map { (name($0), pattern($0)) })

  /// All that plain reads of a length give, one after the other.
  static func plainBytes(of path: String, step: Int = 1 << 20) throws -> [UInt8] {
    let file = try openFile(path)
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: step)
    while case let count = try file.borrowed.read(into: &room, at: Int64(bytes.count)), count > 0 {
      bytes += room[..<count]
    }
    return bytes
  }

  /// Reads a file through channels in several ways, and compares it with what plain reads give.
  static func checkReads(of path: String, _ backend: TestBackend) async throws {
    let expected = try plainBytes(of: path)
    for kind in [IOChannel.Kind.stream, .random] {
      let place = try AsyncPlace(backend, kind, try openFile(path))
      let all = [UInt8](try await place.channel.readAll())
      expectEqual(all, expected, "all of \(path), \(kind), \(backend)")
      await place.close()
    }
    let place = try AsyncPlace(backend, .random, try openFile(path))
    var random = SeededGenerator(seed: UInt64(expected.count))
    for _ in 0..<Tier.count(quick: 12, full: 60) {
      let offset = Int.random(in: 0...expected.count, using: &random)
      let length = 1 << Int.random(in: 0...21, using: &random)
      let found = [UInt8](try await place.channel.read(length: length, at: Int64(offset)))
      let part = Array(expected[offset..<min(expected.count, offset + length)])
      expectEqual(found, part, "\(length) at \(offset) of \(path), \(backend)")
    }
    await place.close()
  }

  /// Writes files through channels, and looks at them from elsewhere.
  static func checkWrites(in directory: String, seenIn other: String, _ backend: TestBackend)
    async throws
  {
    for kind in [IOChannel.Kind.stream, .random] {
      for size in sizes where size > 0 {
        let name = "written-\(kind)-\(size)"
        let (bytes, new) = (pattern(size, from: 5), pattern(size / 2 + 1, from: 99))
        let file = try openFile("\(directory)/\(name)", [.readWrite, .create])
        let place = try AsyncPlace(backend, kind, file)
        try await place.channel.write(DataBuffer(bytes))
        var expected = bytes
        if kind == .random {
          // Over what is there, and behind it.
          let start = size - size / 4
          try await place.channel.write(DataBuffer(new), at: Int64(start))
          expected = Array(bytes[..<start]) + new
          if start + new.count < size { expected += bytes[(start + new.count)...] }
        }
        await place.close()
        let found = try plainBytes(of: "\(other)/\(name)")
        expectEqual(found, expected, "\(name) in \(directory), \(backend)")
      }
    }
  }

  /// Compares without printing megabytes.
  private static func expectEqual(_ found: [UInt8], _ expected: [UInt8], _ what: String) {
    let isEqual = found == expected
    let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(
      isEqual,
      "\(what): \(found.count) bytes for \(expected.count), other from \(place ?? -1) on"
    )
  }

  @Test(arguments: TestBackend.real, kinds)
  func channelsMoveTheBytesOfPlainCalls(
    backend: TestBackend,
    kind: MountedFileSystem.Kind
  ) async throws {
    try Need.fileSystems.orSkip()
    if kind == .vfat { try Need.vfat.orSkip() }
    if kind == .nfs { try Need.nfs.orSkip() }
    let system = try MountedFileSystem(kind, files: Self.files)
    for size in Self.sizes {
      let path = "\(system.path)/\(Self.name(size))"
      #expect(try Self.plainBytes(of: path) == pattern(size), "the test's own files")
      try await Self.checkReads(of: path, backend)
    }
    if kind.isReadOnly { return }
    try await Self.checkWrites(in: system.path, seenIn: system.path, backend)
  }

  private static let ownFiles = [
    "/proc/filesystems", "/proc/kallsyms", "/proc/version", "/sys/kernel/notes",
    "/sys/kernel/btf/vmlinux", "/sys/power/state",
  ]

  @Test(arguments: TestBackend.real, ownFiles)
  func filesOfTheKernelsOwn(backend: TestBackend, path: String) async throws {
    // What the kernel was built without.
    guard (try? openFile(path)) != nil else { return }
    try await Self.checkReads(of: path, backend)
  }

  /// All that a server of FUSE may do: no page cache, one that stays, short reads, wrong lengths.
  @Test(.needs(.fuse), arguments: TestBackend.real, FaultFileSystem.Sizes.allCases)
  func serversThatReadShortAndNameWrongLengths(
    backend: TestBackend,
    sizes: FaultFileSystem.Sizes
  ) async throws {
    for (isDirect, keepsCache) in [(false, false), (false, true), (true, false), (true, true)] {
      let system = try FaultFileSystem(isDirect: isDirect, keepsCache: keepsCache, sizes: sizes)
      for size in [1, 4096, 300_000, 2_500_000] {
        let bytes = pattern(size)
        let file = try openFile("\(system.behind)/f", [.writeOnly, .create])
        #expect(try file.borrowed.write(bytes, 0..<size, at: 0) == size)
        // Without direct I/O no server may read short.
        let rules = ["", "read * 1+ short 70000", "read * 1+ short 4000", "read * 2 short 1"]
        for rule in rules.prefix(isDirect ? 4 : 1) {
          try system.setRules(rule)
          try await Self.checkReads(of: "\(system.path)/f", backend)
        }
      }
      try system.setRules()
      try await Self.checkWrites(in: system.path, seenIn: system.behind, backend)
      try system.setRules("write * 1+ short 70000")
      if !isDirect { continue }
      try await Self.checkWrites(in: system.path, seenIn: system.behind, backend)
    }
  }

  /// The ring gets only what it was seen to move rightly (FileSystemKind).
  @Test(arguments: kinds)
  func onlyKnownFileSystemsUseTheRing(kind: MountedFileSystem.Kind) async throws {
    try Need.ring.orSkip()
    try Need.fileSystems.orSkip()
    if kind == .vfat { try Need.vfat.orSkip() }
    if kind == .nfs { try Need.nfs.orSkip() }
    let system = try MountedFileSystem(kind, files: ["f": pattern(4 << 20)])
    let file = try openFile("\(system.path)/f")
    let kindOfSystem = FileSystemKind(of: file.borrowed)
    let engine = try TestBackend.ring.makeEngine()
    let trace = Trace()
    let channel = IOChannel(
      kind: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    #expect(try await channel.readAll().count == 4 << 20)
    channel.close()
    await trace.reach(1)
    #expect(engine.counts.ringBytesRead == (kindOfSystem.isTrustedOnRing ? 4 << 20 : 0))
    let isKnown = [.ext4, .xfs, .btrfs, .tmpfs].contains(kind)
    #expect(kindOfSystem.isTrustedOnRing == isKnown)
    #expect((kindOfSystem == .fuse) == kind.isServed)
  }
}
