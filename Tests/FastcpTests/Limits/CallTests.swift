import IOChannelsTestSupport
import Testing

/// How many calls a copy takes, counted from outside: the part of the benchmarks that no noise
/// touches.
@Suite("Calls", .timeLimit(.minutes(20)))
struct CallTests {
  /// Runs the copier under a tracer.
  ///
  /// - Returns: How often it made each of the calls.
  private func calls(
    _ traced: String,
    _ arguments: [String],
    behind prefix: [String] = []
  ) throws -> [String: Int] {
    let log = try TemporaryDirectory()
    let outcome = try run(
      prefix + [
        "strace", "-f", "-qq", "-c", "-U", "calls,name", "-e", "trace=\(traced)",
        "-o", log("calls"), BuiltProgram.fastcp.path,
      ] + arguments,
      // A program that is traced cannot look for leaks.
      environment: ["ASAN_OPTIONS": "detect_leaks=0"]
    )
    guard outcome.succeeded else { throw TestFailure("the copy failed: \(outcome)") }
    var counts: [String: Int] = [:]
    for line in try runSuccessfully(["cat", log("calls")]).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, let count = Int(words[0]) { counts[String(words[1])] = count }
    }
    return counts
  }

  private func callsForFiles(_ count: Int, _ option: String, of user: Int? = nil) throws -> Int {
    let tree = try SeededTree(files: count, options: ["--size", "1024", "--spread", "100000"])
    let copy = try TemporaryDirectory()
    var paths = [tree.path, copy("copy")]
    if let user {
      try runSuccessfully(["chown", "\(user)", tree.path, copy.path])
      paths = ["\(tree.path)/.", copy.path]
    }
    return try calls("%file,%desc", [option] + paths)["total"] ?? 0
  }

  @Test("A small file takes 9 calls, 11 with all that describes it (B17)")
  func smallFile() throws {
    for (option, bound) in [("-r", 9), ("-a", 11)] {
      let (few, many) = (try callsForFiles(100, option), try callsForFiles(300, option))
      // Names are read in parts, and threads begin.
      #expect(many - few <= bound * 200 + 20, "\(option): \(few) calls, then \(many)")
      #expect(few >= bound * 100, "\(option): \(few) calls")
    }
  }

  @Test("In a directory of another user a small file takes one call more (B17, T76)", .needs(.root))
  func smallFileOfOther() throws {
    for (option, bound) in [("-r", 10), ("-a", 12)] {
      let few = try callsForFiles(100, option, of: 65534)
      let many = try callsForFiles(300, option, of: 65534)
      #expect(many - few <= bound * 200 + 20, "\(option): \(few) calls, then \(many)")
    }
  }

  @Test("A deep tree takes few calls a level, whatever its depth and the descriptors (T40)")
  func depth() throws {
    let scene = try Scene(
      """
      levels=$(printf 'd/%.0s' {1..1000}); mkdir shallow deep
      for tree in shallow deep deep; do
        (cd $tree; while [ -d d ]; do cd -P $levels; done; mkdir -p $levels)
      done
      """,
      in: "/dev/shm"
    )
    let counts = try ["shallow", "deep"].map { tree in
      let traced = "openat,openat2,newfstatat,statx,fstat,mkdirat"
      let paths = ["-r", scene.place(tree), scene.place("copy of \(tree)")]
      return try calls(traced, paths, behind: ["prlimit", "--nofile=128"])["total"] ?? 0
    }
    // Ten calls go down through a level and up again.
    #expect(counts[1] - counts[0] <= 10 * 1000 + 50, "\(counts)")
    #expect(counts[0] >= 5 * 1000, "\(counts)")
    try scene.shell("rm -rf shallow deep 'copy of shallow' 'copy of deep'")
  }

  @Test("One small file starts no worker and no ring (B19)")
  func oneFile() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["sh", "-c", "echo 1 >\(place("one"))"])
    let counts = try calls(
      "clone,clone3,io_uring_setup,io_uring_enter,write",
      [place("one"), place("two")]
    )
    // The thread that waits for signals.
    #expect((counts["clone"] ?? 0) + (counts["clone3"] ?? 0) <= 1, "\(counts)")
    #expect(counts["io_uring_setup"] == nil && counts["io_uring_enter"] == nil, "\(counts)")
    #expect(counts["write"] == 1)
  }

  @Test("Beside its start one small file takes few calls (B19)")
  func startOfOneFile() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["sh", "-c", "echo 1 >\(place("one"))"])
    // What the loader and the libraries do before is the same for both.
    let start = try calls("all", ["--version"])["total"] ?? 0
    let whole = try calls("all", [place("one"), place("two")])["total"] ?? 0
    #expect(start > 20 && whole - start <= 80, "\(start) calls, then \(whole)")
  }

  @Test("A tree of small files makes no ring, and as many threads as it has jobs at most")
  func tree() throws {
    let tree = try SeededTree(files: 400)
    let copy = try TemporaryDirectory()
    let counts = try calls(
      "clone,clone3,io_uring_setup,io_uring_enter",
      ["-a", "--jobs=3", tree.path, copy("copy")]
    )
    // Two beside the first one, and the thread that waits for signals.
    #expect((counts["clone"] ?? 0) + (counts["clone3"] ?? 0) <= 3, "\(counts)")
    #expect(counts["io_uring_setup"] == nil && counts["io_uring_enter"] == nil, "\(counts)")
  }
}
