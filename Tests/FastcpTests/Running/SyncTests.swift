import IOChannelsTestSupport
import Testing

/// `--sync` flushes what a copy wrote, once, at its end.
@Suite("Flushes at the end", .ends(withinMinutes: 10))
struct SyncTests {
  /// Copies under a tracer, and returns the names of the traced calls in their order.
  private func calls(_ scene: Scene, _ arguments: [String]) throws -> [String] {
    try runSuccessfully(
      [
        "strace", "-f", "-qq", "-e", "trace=syncfs,fsync,fdatasync,utimensat,linkat,renameat2",
        "-o", "log", BuiltProgram.fastcp.path, "--reflink=never",
      ] + arguments,
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: scene.place.path
    )
    return try scene.shell("sed -n 's/^[0-9]* *\\([a-z0-9]*\\)(.*/\\1/p' log")
      .split(separator: "\n").map(String.init)
  }

  private static let tree = """
    mkdir -p s/d; echo 1 >s/d/small; head -c 300000 /dev/urandom >s/large; ln -s x s/link
    """

  @Test("The flush is the last change, and there is one for a file system (T54)")
  func once() throws {
    let scene = try Scene(Self.tree)
    let plain = try calls(scene, ["-a", "s", "plain"])
    #expect(!plain.contains("syncfs") && plain.contains("utimensat"), "\(plain)")
    let names = try calls(scene, ["-a", "--sync", "s", "copy"])
    #expect(names.count { $0 == "syncfs" } == 1, "\(names)")
    // Without a journal, the cache of the disk is emptied afterwards.
    #expect(names.drop { $0 != "syncfs" }.dropFirst().allSatisfy { $0 == "fsync" }, "\(names)")
    #expect(try scene.differences("s", "copy") == [])
  }

  @Test("Each mounted file system of the destination is flushed (T54)", .needs(.root))
  func mounts() throws {
    let scene = try Scene(Self.tree + "; mkdir -p copy/d")
    let memory = try MemoryFileSystem(kibibytes: 1024)
    try scene.shell("mount --bind '\(memory.path)' copy/d")
    defer { _ = try? scene.shell("umount copy/d") }
    let names = try calls(scene, ["-aT", "--sync", "s", "copy"])
    #expect(names.count { $0 == "syncfs" } == 2, "\(names)")
    try scene.shell("cmp s/d/small copy/d/small")
  }

  @Test("Nothing is flushed in a dry run or after a failed start (T54)")
  func notFlushed() throws {
    let scene = try Scene(Self.tree)
    #expect(try calls(scene, ["-a", "--sync", "--dry-run", "s", "copy"]).isEmpty)
  }
}
