import IOChannelsTestSupport
import Testing

@Suite("Channels without a ring (F7, I20)")
struct WithoutRingTests {
  /// What the probe says of its results, and of the backend.
  private struct Report {
    var results: [String]
    var backend: [String]

    init(_ outcome: Outcome) throws {
      guard outcome.succeeded, !outcome.outputText.contains("other bytes") else {
        throw TestFailure("the probe failed: \(outcome)")
      }
      results = outcome.outputText.split(separator: "\n").map(String.init)
      backend = results.popLast()?.split(separator: " ").map(String.init) ?? []
    }

    var reason: String { backend.dropFirst(3).joined(separator: " ") }
  }

  private func probe(
    _ place: String,
    in sandbox: [String] = [],
    program: String = BuiltProgram.channeltool.path,
    setting: String? = nil
  ) throws -> Report {
    var command = [program, "probe", place]
    if !sandbox.isEmpty { command = [BuiltProgram.sandboxrun.path] + sandbox + ["--"] + command }
    return try Report(run(command, environment: ["IOCHANNELS_BACKEND": setting]))
  }

  @Test(
    "Threads give the same results as the ring",
    arguments: [
      (["uring=1"], "io_uring_setup failed"),
      (["uring=38"], "the kernel has no io_uring"),
      (["uring=12"], "the limit of locked memory is too low"),
      (["uring=24"], "the process has no descriptor left"),
      (["deny=426:1"], "io_uring_enter failed"),
      (["deny=427:1"], "io_uring_setup failed"),
    ]
  )
  func threadsGiveTheSameResults(sandbox: [String], reason: String) throws {
    let directory = try TemporaryDirectory()
    let expected = try probe(directory.path)
    let found = try probe(directory.path, in: sandbox)
    #expect(found.results == expected.results)
    #expect(found.results.count == 11)
    #expect(found.results.first == "no channel has started the engine, 0 threads")
    #expect(found.backend.first == "threads")
    #expect(found.reason.contains(reason), "\(found.reason)")
    // 3 for what was written, 64 parts, 4 for the whole, the end, the pipe.
    #expect(found.backend[1] == "0")
    #expect(Int(found.backend[2]) ?? 0 > 70)
  }

  @Test("Threads replace a ring whose thread cannot be woken")
  func refusedWakeup() throws {
    let directory = try TemporaryDirectory()
    let outcome = try run(
      [
        "strace", "-f", "-qq", "-o", "/dev/null", "-P", "anon_inode:[eventfd]",
        "-e", "inject=write:error=EPERM", BuiltProgram.channeltool.path, "probe", directory.path,
      ],
      timeout: .seconds(20)
    )
    let found = try Report(outcome)
    #expect(found.results == (try probe(directory.path)).results)
    #expect(found.backend.first == "threads")
    let reason = "threads: a write to an eventfd failed: Operation not permitted (forbidden by a "
    #expect(found.reason.hasPrefix(reason) || !Need.ring.isMet, "\(found.reason)")
  }

  @Test("The ring carries the bytes where it is available")
  func theRingCarriesTheBytesWhereItIs() throws {
    try Need.ring.orSkip()
    let image = try LoopImage(.ext4, megabytes: 32)
    let found = try probe(image.path)
    #expect(found.backend.first == "ring")
    #expect(Int(found.backend[1]) ?? 0 > 70)
    #expect(found.reason == "io_uring: the probe succeeded")
    let threads = try probe(image.path, setting: "threads")
    #expect(found.results == threads.results)
    #expect(threads.reason == "threads: IOCHANNELS_BACKEND asks for them")
  }

  @Test("An unknown backend ends the program at its first channel", arguments: ["ring", "\n"])
  func unknownBackend(setting: String) throws {
    let directory = try TemporaryDirectory()
    let outcome = try run(
      [BuiltProgram.channeltool.path, "probe", directory.path],
      environment: ["IOCHANNELS_BACKEND": setting, "SWIFT_BACKTRACE": "enable=no"]
    )
    #expect(outcome.signal != 0)
    let value = setting == "ring" ? ", not \"ring\"" : ""
    let sentence = "IOCHANNELS_BACKEND must be auto, uring or threads\(value)."
    #expect(outcome.errorText == "Fatal error: \(sentence) (S215)\n")
  }

  @Test("The lowest limits give the same results (S215)", arguments: [nil, "threads"])
  func limits(setting: String?) throws {
    let directory = try TemporaryDirectory()
    let outcome = try run(
      [BuiltProgram.channeltool.path, "probe", directory.path],
      environment: [
        "IOCHANNELS_BACKEND": setting, "IOCHANNELS_MEMORY": "8388608", "IOCHANNELS_THREADS": "4",
        "IOCHANNELS_WAITING_THREADS": "4",
      ]
    )
    #expect(try Report(outcome).results == probe(directory.path).results)
  }

  @Test(
    "A limit outside of its range ends the program at its first channel (S215)",
    arguments: [
      ("IOCHANNELS_MEMORY", "8388608 to 1099511627776"), ("IOCHANNELS_THREADS", "4 to 4096"),
      ("IOCHANNELS_WAITING_THREADS", "4 to 4096"),
    ]
  )
  func unknownLimit(variable: String, range: String) throws {
    let directory = try TemporaryDirectory()
    let outcome = try run(
      [BuiltProgram.channeltool.path, "probe", directory.path],
      environment: [variable: "3", "SWIFT_BACKTRACE": "enable=no"]
    )
    #expect(outcome.signal != 0)
    let sentence = "\(variable) must be a number from \(range), not \"3\"."
    #expect(outcome.errorText == "Fatal error: \(sentence) (S215)\n")
  }

  /// No memory may be locked, which only people without privileges notice.
  @Test("A user who may lock no memory gets threads", .needs(.root)) func aUserWhoMayLockNoMemory()
    throws
  {
    let directory = try TemporaryDirectory()
    // The build directory may be closed to others.
    try runSuccessfully(["cp", BuiltProgram.channeltool.path, directory.path])
    try runSuccessfully(["chmod", "777", directory.path])
    let copy = "\(directory.path)/channeltool"
    let found = try probe(directory.path, in: ["memlock=0", "uid=65534"], program: copy)
    #expect(found.results == (try probe(directory.path)).results)
    #expect(found.backend.first == "threads")
    #expect(found.reason.contains("io_uring_setup failed"), "\(found.reason)")
  }
}
