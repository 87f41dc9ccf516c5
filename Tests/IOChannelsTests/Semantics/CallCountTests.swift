import IOChannelsTestSupport
import Testing

@Suite("System calls of channels, counted by strace")
struct CallCountTests {
  private static let transfers = [
    "read", "pread64", "readv", "preadv", "preadv2", "write", "pwrite64", "writev", "pwritev",
    "pwritev2", "sendfile", "copy_file_range", "splice",
  ]

  private struct Counts {
    /// Calls that moved bytes of a file in the directory.
    var transfers: [String] = []
    var enters = 0
    var ringRequests = 0
    var threadRequests = 0
  }

  private func count(_ arguments: [String], in directory: String) throws -> Counts {
    let log = try TemporaryDirectory()
    let traced = (Self.transfers + ["io_uring_enter"]).joined(separator: ",")
    let outcome = try run(
      ["strace", "-f", "-y", "-qq", "--seccomp-bpf", "-e", "trace=\(traced)", "-o", log("calls")]
        + [BuiltProgram.channeltool.path, "transfer"] + arguments,
      // A program that is traced cannot look for leaks.
      environment: ["IOCHANNELS_BACKEND": nil, "ASAN_OPTIONS": "detect_leaks=0"]
    )
    guard outcome.succeeded else { throw TestFailure("channeltool failed: \(outcome)") }
    var counts = Counts()
    let numbers = outcome.outputText.split { !$0.isNumber }.compactMap { Int($0) }
    (counts.ringRequests, counts.threadRequests) = (numbers[0], numbers[1])
    for line in try runSuccessfully(["cat", log("calls")]).split(separator: "\n") {
      if line.contains("resumed>") { continue }
      if line.contains("io_uring_enter(") {
        counts.enters += 1
      } else if line.contains("<\(directory)/") {
        counts.transfers.append(String(line))
      }
    }
    return counts
  }

  /// Tries until a count is good, as on a busy machine the ring's thread falls asleep more often
  /// than its requests alone would let it.
  private func fewestEnters(
    _ arguments: [String],
    in directory: String,
    until isGood: (Counts) -> Bool
  ) throws -> Counts {
    var counts = Counts()
    for _ in 0..<40 {
      counts = try count(arguments, in: directory)
      #expect(counts.transfers == [])
      if isGood(counts) { break }
    }
    return counts
  }

  @Test("Streams make no plain calls")
  func whatStreamsMakesNoPlainCalls() throws {
    try Need.ring.orSkip()
    try Need.loop.orSkip()
    let image = try LoopImage(.xfs, megabytes: 320)
    let source = "\(image.path)/source"
    try runSuccessfully([
      "dd", "if=/dev/urandom", "of=\(source)", "bs=1M", "count=64", "status=none",
    ])
    let counts = try count(["stream", source, "\(image.path)/target"], in: image.path)
    #expect(counts.transfers == [])
    // Two looks at what the descriptors are.
    #expect(counts.threadRequests <= 2)
    #expect(counts.ringRequests >= 128)
    try runSuccessfully(["cmp", source, "\(image.path)/target"])
  }

  /// A ring would go to a worker of the kernel and back for each of the four pieces of a MiB.
  @Test("A thread writes each MiB of a stream on ext4 (S178)")
  func streamOnExt4() throws {
    try Need.ring.orSkip()
    try Need.loop.orSkip()
    let image = try LoopImage(.ext4, megabytes: 200)
    let source = "\(image.path)/source"
    try runSuccessfully([
      "dd", "if=/dev/urandom", "of=\(source)", "bs=1M", "count=64", "status=none",
    ])
    let counts = try count(["stream", source, "\(image.path)/target"], in: image.path)
    #expect(counts.transfers.count >= (64 << 20) >> 18)
    #expect(counts.transfers.allSatisfy { $0.contains("pwritev2") })
    #expect(counts.threadRequests >= 64 + 2)
    #expect(counts.ringRequests >= 64)
    try runSuccessfully(["cmp", source, "\(image.path)/target"])
  }

  /// A ring would go to a worker of the kernel and back for each piece.
  @Test("A thread writes long regions piece by piece (S178)")
  func aThreadWritesLongRegionsPieceByPiece() throws {
    try Need.ring.orSkip()
    try Need.loop.orSkip()
    let image = try LoopImage(.ext4, megabytes: 200)
    let counts = try count(["region", "\(image.path)/target"], in: image.path)
    #expect(counts.transfers.count == (64 << 20) >> 18)
    #expect(counts.transfers.allSatisfy { $0.contains("iov_len=\(1 << 18)}") })
    // A look at what the descriptor is, and the write.
    #expect(counts.threadRequests == 2)
  }

  @Test("Requests share system calls")
  func callsAreSharedByRequests() throws {
    try Need.ring.orSkip()
    try Need.loop.orSkip()
    let image = try LoopImage(.xfs, megabytes: 320)
    let target = "\(image.path)/target"
    // Each write reaches the kernel in four pieces (S178).
    let writes = try fewestEnters(["writes", target], in: image.path) { $0.enters <= 256 / 4 }
    #expect(writes.ringRequests >= 64)
    #expect(writes.enters <= 256 / 4)
    let reads = try fewestEnters(["reads", target], in: image.path) { $0.enters <= 1024 / 4 }
    #expect(reads.ringRequests >= 1024)
    #expect(reads.enters <= 1024 / 4)
  }
}
