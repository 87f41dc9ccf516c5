import TestSupport
import Testing

/// Large files whose bytes pass through the program, and are read and written by two threads.
@Suite("Files that two threads copy", .timeLimit(.minutes(5)))
struct SharedCopyTests {
  private static let options = ["--reflink=never", "--jobs=2"]

  /// A file of so many bytes that do not repeat.
  private func source(_ count: Int) throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    try runSuccessfully(["sh", "-c", "head -c \(count) /dev/urandom >\(place("from"))"])
    return place
  }

  /// The threads that read or wrote while the file was copied.
  private func threads(_ options: [String], in place: TemporaryDirectory) throws -> Set<Substring> {
    let outcome = try run(
      ["strace", "-f", "-y", "-qq", "-e", "trace=read,write", "-o", place("log")]
        + [BuiltProgram.fastcp.path] + options + [place("from"), place("to")],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"]
    )
    guard outcome.succeeded else { throw TestFailure("the copy failed: \(outcome)") }
    try runSuccessfully(["cmp", place("from"), place("to")])
    let lines = try runSuccessfully(["cat", place("log")]).split(separator: "\n")
    let transfers = lines.filter { $0.contains("<\(place("from"))>") || $0.contains("write(") }
    try runSuccessfully(["rm", place("to")])
    return Set(transfers.compactMap { $0.split(separator: " ").first })
  }

  @Test("A second thread takes part, and none where one job is allowed")
  func parts() throws {
    let place = try source(24 << 20)
    var most = 0
    // On a busy machine the second thread may come when all is done.
    for _ in 0..<40 where most < 2 {
      most = max(most, try threads(Self.options, in: place).count)
    }
    #expect(most == 2)
    #expect(try threads(["--reflink=never", "--jobs=1"], in: place).count == 1)
  }

  @Test(
    "Copies are equal whatever their length",
    arguments: [(4 << 20) - 1, 4 << 20, (4 << 20) + 1, (5 << 20) + 4097, 8 << 20]
  )
  func lengths(count: Int) throws {
    let place = try source(count)
    for _ in 0..<3 {
      try runSuccessfully(
        [BuiltProgram.fastcp.path, "-a"] + Self.options + [place("from"), place("to")]
      )
      try runSuccessfully(["cmp", place("from"), place("to")])
      try runSuccessfully(["rm", place("to")])
    }
  }

  @Test("A write that fails is told once and leaves nothing behind (T31)")
  func failingWrite() throws {
    let place = try source(24 << 20)
    let outcome = try run(
      ["sh", "-c", "ulimit -f 16000; exec \"$0\" \"$@\"", BuiltProgram.fastcp.path]
        + Self.options + ["from", "to"],
      directory: place.path
    )
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "fastcp: error writing 'to': File too large\n")
    #expect(try runSuccessfully(["ls", "-A", place.path]) == "from\n")
  }
}
