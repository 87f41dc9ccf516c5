import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// The mounted file systems and the programs that all runs of traps share.
final class TrapEnvironment: Sendable {
  /// The environment of the running suite.
  @TaskLocal static var current: TrapEnvironment?

  /// A kind of file system.
  enum Base: String, CaseIterable, Sendable {
    case ext4, tmpfs, xfs, btrfs

    /// The kinds of this tier.
    static var inTier: [Base] { Tier.current == .full ? allCases : [.ext4, .tmpfs] }

    var needs: [Need] {
      switch self {
      case .ext4, .tmpfs: [.root, .loop]
      case .xfs: [.root, .loop, .xfs]
      case .btrfs: [.root, .loop, .btrfs]
      }
    }
  }

  /// The user who owns the files and runs the copier. Both users are members of the group 12.
  enum User: String, CaseIterable, Sendable {
    case root, nobody

    /// The number of the user and of the user's group.
    var identifier: UInt32 { self == .root ? 0 : 65534 }

    /// The start of a command that runs as the user.
    var command: [String] {
      switch self {
      case .root: ["setpriv", "--groups=0,12"]
      case .nobody: ["setpriv", "--reuid=65534", "--regid=65534", "--groups=12"]
      }
    }
  }

  /// The program that runs under the name `cp`.
  enum Copier: Sendable {
    case cp, naiveLoop
    case fastcp(Way)
  }

  private let mounted: [Base: TrapFileSystem]
  private let programs: TemporaryDirectory
  /// Random bytes, the same ones for all runs.
  private let data: [UInt8]

  init() throws {
    var mounted: [Base: TrapFileSystem] = [:]
    for base in Base.inTier where base.needs.allSatisfy(\.isMet) {
      mounted[base] = try TrapFileSystem(base)
    }
    self.mounted = mounted
    programs = try TrapEnvironment.installedPrograms()
    data = try TrapEnvironment.randomBytes(4_000_000)
  }

  /// Copies the programs to a directory that every user can reach, unlike the build directory.
  private static func installedPrograms() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try runSuccessfully(["chmod", "755", directory.path])
    let programs: [(BuiltProgram, String)] = [
      (.fastcp, "fastcp/cp"), (.naivecopy, "naive/cp"),
      (.sandboxrun, "tools/sandboxrun"), (.flip, "tools/flip"),
    ]
    for (program, name) in programs {
      try runSuccessfully(["install", "-D", program.path, directory(name)])
    }
    return directory
  }

  private static func randomBytes(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let source = try openFile("/dev/urandom")
    guard try source.borrowed.read(into: &bytes) == count else {
      throw TestFailure("there are fewer than \(count) random bytes")
    }
    return bytes
  }

  /// Runs a trap with one copier.
  func outcome(
    of trap: Trap,
    with copier: Copier,
    as user: User,
    on base: Base,
    narrow: NarrowFileSystem? = nil
  ) throws -> TrapRun.Outcome {
    let other = base == .tmpfs ? Base.ext4 : .tmpfs
    guard let place = mounted[base], let far = mounted[other] else {
      throw TestFailure("there is no \(base.rawValue)")
    }
    let run = try TrapRun(
      user: user,
      copier: copier,
      programs: programs.path,
      data: data,
      places: (place.path, far.path)
    )
    if let narrow { try run.addDirectory("narrow", in: narrow.path) }
    if trap.extras.contains(.faulty) { try run.addFaults(isDirect: false) }
    if trap.extras.contains(.faultyDirect) { try run.addFaults(isDirect: true) }
    try trap.stage(run)
    try trap.check(run)
    if trap.comparesWithCP { try run.compareFiles() }
    return run.outcome
  }
}

/// Creates a ``TrapEnvironment`` for a suite.
struct TrapEnvironmentTrait: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let environment = try TrapEnvironment()
    try await TrapEnvironment.$current.withValue(environment) { try await function() }
  }
}

extension Trait where Self == TrapEnvironmentTrait {
  /// Creates a ``TrapEnvironment`` for the suite.
  static var trapEnvironment: TrapEnvironmentTrait { TrapEnvironmentTrait() }
}
