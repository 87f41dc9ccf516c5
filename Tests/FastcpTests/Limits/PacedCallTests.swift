import IOChannelsTestSupport
import Testing

/// The calls of a copy that writes back behind itself, counted from outside.
@Suite("Calls of paced copies", .ends(withinMinutes: 10))
struct PacedCallTests {
  /// Copies with and without the option under a tracer, and returns the flags of each write-back.
  private func flags(_ scene: Scene, _ arguments: [String]) throws -> [String] {
    try runSuccessfully(
      [
        "strace", "-f", "-qq", "-e", "trace=?sync_file_range,?sync_file_range2", "-o", "log",
        BuiltProgram.fastcp.path, "--reflink=never",
      ] + arguments,
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: scene.place.path
    )
    return try scene.shell("sed -n 's/.*sync_file_range.*\\(SYNC[A-Z_|]*\\).*/\\1/p' log")
      .split(separator: "\n").map(String.init)
  }

  @Test("Each MiB is begun, and awaited before the next but one (T56)")
  func calls() throws {
    let scene = try Scene("head -c 5000000 /dev/zero >f; mkdir s; cp f s/f")
    #expect(try flags(scene, ["f", "plain"]) == [])
    let waits = try flags(scene, ["--paced", "f", "g"]).map { $0.contains("WAIT_AFTER") }
    // The last window is awaited behind the rest of the file.
    #expect(waits == [false, false, true, false, true, false, true, false, true])
  }

  @Test("A limit of the rate leaves the windows as they are (T56)")
  func rate() throws {
    let scene = try Scene("head -c 5000000 /dev/zero >f")
    let waits = try flags(scene, ["--paced", "--bwlimit=1G", "f", "g"])
    #expect(waits.count == 9)
  }

  @Test("Files of one window are awaited before the next ones, so that they do not add up (T56)")
  func windows() throws {
    let scene = try Scene("mkdir s; for i in 1 2 3 4; do head -c 1048576 /dev/zero >s/$i; done")
    let waits = try flags(scene, ["-r", "--paced", "--jobs=1", "s", "d"])
      .map { $0.contains("WAIT_AFTER") }
    #expect(waits == [false, true, false, true, false, true, false, true])
  }

  @Test("Of small files only one in a MiB is awaited (T56)")
  func smallFiles() throws {
    let scene = try Scene("mkdir s; for i in {1..40}; do head -c 60000 /dev/zero >s/$i; done")
    let waits = try flags(scene, ["-r", "--paced", "s", "d"]).map { $0.contains("WAIT_AFTER") }
    #expect(waits.count == 40)
    #expect((1...3).contains(waits.count { $0 }), "\(waits)")
  }
}
