import IOChannelsTestSupport
import Testing

/// Limits of space, size and descriptors fail files, one clear line each, and nothing else.
@Suite("Limits", .ends(withinMinutes: 20))
struct LimitTests {
  /// Blocks that nobody has, as the file system counts them.
  private func freeBlocks(_ path: String) throws -> String {
    try runSuccessfully(["sh", "-c", "sync -f \"$0\"; stat -f -c '%f %d' \"$0\"", path])
  }

  private func expectNoSpace(_ path: String) throws {
    let scene = try Scene(
      "mkdir source; echo x >source/small; head -c 40000000 /dev/zero >source/f"
    )
    let before = try freeBlocks(path)
    for way in Way.allCases {
      let outcome = try way.copy(["source/f", path], directory: scene.place.path)
      #expect(outcome.status == 1 && outcome.signal == 0)
      #expect(
        outcome.errorLines.filter { $0.hasPrefix("fastcp: ") }
          == ["fastcp: error writing '\(path)/f': No space left on device"]
      )
      #expect(try freeBlocks(path) == before)
      #expect(try runSuccessfully(["find", path, "-type", "f"]) == "")
    }
    #expect(try scene.copy("-rT", "source", "\(path)/copy").status == 1)
    #expect(try runSuccessfully(["ls", "-A", "\(path)/copy"]) == "small\n")
  }

  @Test("One file on a full disk is one line, as with cp", .needs(.root))
  func oneFile() throws {
    let place = try TemporaryDirectory()
    let small = try MemoryFileSystem(kibibytes: 256)
    try runSuccessfully(["bash", "-c", "head -c 1M /dev/urandom >f"], directory: place.path)
    for program in ["cp", BuiltProgram.fastcp.path] {
      let outcome = try run(
        ["bash", "-c", "rm -rf \"$TO\"/*; \"$0\" f \"$TO/g\"", program],
        environment: ["TO": small.path, "LC_ALL": "C"],
        directory: place.path
      )
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1, "\(outcome)")
      #expect(outcome.errorText.hasSuffix("/g': No space left on device\n"), "\(outcome)")
    }
  }

  @Test("A full ext4 gets back the space of failed files (F3, T31)", .needs(.loop))
  func fullDisk() throws {
    let image = try LoopImage(.ext4, megabytes: 16)
    try expectNoSpace(image.path)
  }

  @Test("A full file system in memory gets it back too (F3, T31)", .needs(.root))
  func fullMemory() throws {
    let memory = try MemoryFileSystem(kibibytes: 16384)
    try expectNoSpace(memory.path)
  }

  @Test("A run out of inodes fails the files that got none (F3)", .needs(.root))
  func noInodes() throws {
    let small = try MemoryFileSystem(kibibytes: 65536, inodes: 20)
    let scene = try Scene(
      """
      mkdir source
      for i in {1..15}; do head -c 100000 /dev/zero >source/$i; echo >source/s$i; done
      """
    )
    let outcome = try scene.copy("-rT", "source", "\(small.path)/copy")
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.allSatisfy { $0.hasSuffix(": No space left on device") })
    let names = try runSuccessfully(["ls", "-A", "\(small.path)/copy"]).split(separator: "\n")
    #expect(names.count + outcome.errorLines.count == 30)
    #expect(names.count >= 15)
    #expect(!names.contains { $0.hasPrefix(".") })
  }

  @Test("A quota that is used up is an error of single files (F4)", .needs(.full, .btrfs))
  func quota() throws {
    let image = try LoopImage(.btrfs, megabytes: 320)
    let scene = try Scene(
      "mkdir source; for i in {1..9}; do head -c 1000000 /dev/urandom >source/$i; done"
    )
    try scene.shell(
      """
      btrfs quota enable '\(image.path)'; btrfs subvolume create '\(image.path)/limited' >&2
      btrfs qgroup limit 4M '\(image.path)/limited'
      """
    )
    let outcome = try scene.copy("-rT", "source", "\(image.path)/limited/copy")
    #expect(outcome.status == 1)
    #expect(!outcome.errorLines.isEmpty)
    #expect(outcome.errorLines.allSatisfy { $0.hasSuffix(": Disk quota exceeded") }, "\(outcome)")
    let names = try runSuccessfully(["ls", "-A", "\(image.path)/limited/copy"])
      .split(separator: "\n")
    // One file may have two: its mode may fail, and then its name.
    let failures = Set(outcome.errorLines.compactMap { $0.split(separator: "/").last })
    #expect(names.count + failures.count == 9, "\(names) \(outcome)")
    for name in names {
      try scene.shell("cmp 'source/\(name)' '\(image.path)/limited/copy/\(name)'")
    }
  }

  @Test(
    "A file beyond the allowed size is one line, whatever carries the bytes (F5, T41)",
    .needs(.root),
    arguments: ["auto", "threads"]
  )
  func fileSize(backend: String) throws {
    let other = try MemoryFileSystem(kibibytes: 16384)
    let scene = try Scene(
      "mkdir source; echo x >source/small; head -c 3000000 /dev/zero >source/large"
    )
    for destination in ["copy", "\(other.path)/copy"] {
      let outcome = try scene.copy(
        "-rT",
        "source",
        destination,
        behind: [BuiltProgram.sandboxrun.path, "fsize=8192", "--"],
        environment: ["IOCHANNELS_BACKEND": backend]
      )
      #expect(outcome.signal == 0 && outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errorText.hasSuffix("/large': File too large\n"), "\(outcome)")
      #expect(try scene.shell("ls -A '\(destination)'") == "small\n")
    }
  }

  @Test(
    "A tree is copied with 32 descriptors; with fewer, one line names the limit (F6, T41)",
    arguments: [5, 6, 7, 8, 10, 12, 14, 16, 32]
  )
  func descriptors(count: Int) throws {
    let tree = try SeededTree(files: 150, options: ["--large", "2"])
    let scene = try Scene()
    let outcome = try scene.copy(
      "-a",
      "--jobs",
      "4",
      tree.path,
      "copy",
      behind: [BuiltProgram.sandboxrun.path, "nofile=\(count)", "--"]
    )
    #expect(outcome.signal == 0)
    if count == 32 { #expect(outcome.succeeded, "\(outcome)") }
    if outcome.succeeded {
      #expect(try scene.differences("copy", tree.path) == [])
    } else {
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1, "\(outcome)")
      let end = " within the limit of \(count) open files: Too many open files\n"
      #expect(outcome.errorText.hasSuffix(end), "\(outcome)")
    }
  }
}
