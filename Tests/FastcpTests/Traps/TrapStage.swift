import IOChannelsTestSupport
import Testing

/// The file systems on which traps are laid, and the programs that are led into them.
///
/// All are mounted once for the suite; each scene has directories of its own.
final class TrapStage: Sendable {
  /// The stage of the running suite.
  @TaskLocal static var current: TrapStage?

  /// A kind of file system.
  enum Base: String, CaseIterable, Sendable {
    case ext4, tmpfs, xfs, btrfs

    /// Those of this tier.
    static var inTier: [Base] { Tier.current == .full ? allCases : [.ext4, .tmpfs] }

    var needs: [Need] {
      switch self {
      case .ext4, .tmpfs: [.root, .loop]
      case .xfs: [.root, .loop, .xfs]
      case .btrfs: [.root, .loop, .btrfs]
      }
    }
  }

  /// Who copies.
  enum Player: String, CaseIterable, Sendable {
    case root, nobody
  }

  /// What is run as `cp`.
  enum Copier: Sendable {
    case installed, naiveLoop
    case fastcp(Way)
  }

  /// What came of a scene.
  struct Outcome: Sendable {
    /// The copier's messages and statuses, in the order of its runs.
    var told: String
    /// What the script printed.
    var found: String
    /// What the tools of the script complained about.
    var errors: String
  }

  private let mounted: [Base: Mounted]
  private let programs: TemporaryDirectory

  init() throws {
    programs = try TemporaryDirectory()
    var mounted: [Base: Mounted] = [:]
    for base in Base.inTier where base.needs.allSatisfy(\.isMet) {
      mounted[base] = try Mounted(base)
    }
    self.mounted = mounted
    // Nobody has to reach the build directory: programs are copied out of it.
    let script = """
      for place in "${@:2}"; do chmod 755 "$place" "${place%/*}"; done; chmod 755 .
      mkdir fastcp naive tools; cp "$0" fastcp/cp; cp "$1" naive/cp
      for name in treelist flip sandboxrun faultfs; do cp "${0%/*}/$name" tools; done
      head -c 4000000 /dev/urandom >data; chmod 644 data
      """
    try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path, BuiltProgram.naivecopy.path]
        + mounted.values.map(\.path),
      directory: programs.path
    )
  }

  /// Lays a trap and leads a copier into it.
  func play(
    _ trap: Trap,
    by copier: Copier,
    as player: Player,
    on base: Base,
    narrow: String? = nil
  ) throws -> Outcome {
    let other = base == .tmpfs ? Base.ext4 : .tmpfs
    guard let place = mounted[base]?.path, let far = mounted[other]?.path else {
      throw TestFailure("there is no \(base.rawValue)")
    }
    var environment = TrapScript.calls.merging([
      "BASE": place, "OTHER": far, "PROGRAMS": programs.path, "PLAYER": player.rawValue,
      "NARROW": narrow ?? "", "DATA": programs("data"), "PATIENCE": "20", "ONE": "",
      "FAULTS": trap.props.contains(.faultyAndDirect)
        ? "direct" : trap.props.contains(.faulty) ? "plain" : "",
      "PATH": "\(programs("tools")):/usr/sbin:/usr/bin:/sbin:/bin", "IOCHANNELS_BACKEND": nil,
    ]) { $1 }
    switch copier {
    case .installed: environment["COPIER"] = "/usr/bin"
    case .naiveLoop:
      environment["COPIER"] = programs("naive")
      environment["PATIENCE"] = "1.5"
    case .fastcp(let way):
      environment["COPIER"] = programs("fastcp")
      environment["ONE"] = "--jobs=1"
      environment["IOCHANNELS_BACKEND"] = way == .ring ? "uring" : "threads"
    }
    let space = trap.props.contains(.mounts) ? ["unshare", "-m"] : []
    let scripts = [trap.prepare, TrapScript.tools + trap.script]
    let output = try runSuccessfully(
      space + ["bash", "-c", TrapScript.stage, "stage"] + scripts,
      environment: environment,
      timeout: .seconds(90)
    )
    let parts = output.split(separator: "\u{1}", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { throw TestFailure("\(trap.testDescription): \(output)") }
    return Outcome(told: parts[0], found: parts[1], errors: parts[2])
  }
}

/// A mounted file system of one of the kinds, for as long as the value lives.
final class Mounted: Sendable {
  let path: String
  /// What unmounts it.
  private let holder: any Sendable

  /// Mounts one with room for every scene, or a narrow one.
  init(_ base: TrapStage.Base, isNarrow: Bool = false) throws {
    if base == .tmpfs {
      let memory = try MemoryFileSystem(kibibytes: isNarrow ? 16 << 10 : 256 << 10)
      (path, holder) = (memory.path, memory)
      return
    }
    let kind: LoopImage.Kind = base == .ext4 ? .ext4 : base == .xfs ? .xfs : .btrfs
    let image = try LoopImage(kind, megabytes: isNarrow && base == .ext4 ? 24 : 320)
    (path, holder) = (image.path, image)
  }
}

/// Mounts the stage for a suite, and unmounts it behind its last test.
struct TrapStageTrait: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let stage = try TrapStage()
    try await TrapStage.$current.withValue(stage) { try await function() }
  }
}

extension Trait where Self == TrapStageTrait {
  /// Mounts a ``TrapStage`` for the suite.
  static var trapStage: TrapStageTrait { TrapStageTrait() }
}
