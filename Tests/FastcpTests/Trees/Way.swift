import IOChannelsTestSupport

/// What carries the bytes between two file systems.
enum Way: String, CaseIterable, Sendable {
  /// io_uring.
  case ring
  /// Plain calls, because the environment asks for them.
  case threads
  /// Plain calls, because the kernel refuses a ring.
  case denied

  /// Runs the copier this way, behind the words of another program.
  func copy(
    _ arguments: [String],
    behind program: [String] = [],
    directory: String? = nil,
    sandbox: [String] = [],
    timeout: Duration = .seconds(60)
  ) throws -> Outcome {
    var command = program + [BuiltProgram.fastcp.path, "--debug"] + arguments
    var environment: [String: String?] = ["IOCHANNELS_BACKEND": nil]
    var limits = sandbox
    switch self {
    case .ring: try Need.ring.orSkip()
    case .threads: environment["IOCHANNELS_BACKEND"] = "threads"
    // 1 is EPERM, which is what containers answer.
    case .denied: limits.append("uring=1")
    }
    if !limits.isEmpty { command = [BuiltProgram.sandboxrun.path] + limits + ["--"] + command }
    return try run(
      command,
      environment: environment,
      directory: directory,
      timeout: timeout
    )
  }
}

/// A tree made from a printed seed.
struct SeededTree {
  private let place: TemporaryDirectory

  var path: String { place("tree") }

  /// Makes a tree with `options` of the program `treemake`.
  init(files: Int, options: [String] = [], seed: UInt64? = nil, in base: String? = nil) throws {
    place = try TemporaryDirectory(in: base)
    let generator = SeededGenerator(seed: seed, for: "a tree of \(files) files \(options)")
    try runSuccessfully(
      [BuiltProgram.treemake.path] + options + ["\(generator.seed)", "\(files)", path]
    )
  }
}
