import IOChannelsSystem
import IOChannelsTestSupport

/// A run of a trap with one copier and one user, in a directory of its own.
///
/// All names are relative to this directory. In it, `far` is a directory on another file system.
final class TrapRun {
  /// The findings of a run.
  struct Outcome: Sendable {
    /// The messages and statuses of all copies.
    var copies: [String] = []
    /// The values and files that must be the same as after a run with `cp`.
    var facts: [String] = []
    /// The expectations that do not hold.
    var problems: [String] = []
  }

  /// The absolute path of the directory.
  let path: String
  let user: TrapEnvironment.User
  let copier: TrapEnvironment.Copier
  var outcome = Outcome()

  /// The directory in which copies run.
  var workingDirectory = "."
  /// The file mode creation mask of copies.
  var umask = "022"
  /// The locale of copies.
  var locale = "C"
  /// Whether `fastcp` may use threads where the ring is refused.
  var mayFallBack = false

  /// The open directory.
  let directory: OwnedDescriptor
  /// The links that the run itself created, which are no files of the trap.
  private(set) var ownLinks: Set<String> = []
  private let place: TemporaryDirectory
  private let base: String
  private let programs: String
  private let data: [UInt8]
  private var others: [TemporaryDirectory] = []
  private var mounts: [MemoryMount] = []
  private var faultFileSystem: FaultFileSystem?

  /// Creates the directory, and `far` on the other file system.
  init(
    user: TrapEnvironment.User,
    copier: TrapEnvironment.Copier,
    programs: String,
    data: [UInt8],
    places: (near: String, far: String)
  ) throws {
    self.user = user
    self.copier = copier
    self.programs = programs
    self.data = data
    base = places.near
    place = try TemporaryDirectory(in: places.near)
    path = place.path
    directory = try openFile(place.path, .directory)
    try give(path, mode: 0o755)
    try addDirectory("far", in: places.far)
  }

  /// Creates a directory of the user in another place, and a link to it.
  func addDirectory(_ name: String, in base: String) throws {
    let other = try TemporaryDirectory(in: base)
    others.append(other)
    try give(other.path, mode: 0o755)
    try addLink(name, to: other.path)
  }

  /// Mounts a file system with faults at `faulty`. It passes requests to the directory `behind`.
  func addFaults(isDirect: Bool) throws {
    let faults = try FaultFileSystem(isDirect: isDirect, in: base)
    faultFileSystem = faults
    try give(faults.behind, mode: 0o755)
    try addLink("faulty", to: faults.path)
    try addLink("behind", to: faults.behind)
  }

  /// Mounts an empty file system in memory that belongs to the user, until the end of the run.
  func mount(_ kind: String, at name: String) throws {
    let mount = try MemoryMount(kind)
    mounts.append(mount)
    try give(mount.path, mode: 0o755)
    try addLink(name, to: mount.path)
  }

  private func addLink(_ name: String, to target: String) throws {
    try here.makeSymbolicLink(BytePath(name), to: BytePath(target))
    ownLinks.insert(name)
  }

  /// The directory, for names in it.
  var here: BorrowedDescriptor { directory.borrowed }

  /// The file system that is mounted at `faulty`.
  var faults: FaultFileSystem {
    get throws {
      guard let faultFileSystem else { throw TestFailure("the trap uses no faults") }
      return faultFileSystem
    }
  }

  /// Returns the first of 4,000,000 random bytes, which are the same in all runs.
  func bytes(_ count: Int) -> [UInt8] { Array(data.prefix(count)) }

  /// Whether `fastcp` runs and uses the ring.
  var usesRing: Bool { if case .fastcp(.ring) = copier { true } else { false } }

  /// The time after which a copy is stopped.
  ///
  /// The simple copy loop never ends if its source shrinks.
  var patience: Duration { if case .naiveLoop = copier { .seconds(1.5) } else { .seconds(20) } }

  /// The environment of copies.
  var environment: [String: String?] {
    let (program, backend): (String, String?) =
      switch copier {
      case .cp: ("/usr/bin", nil)
      case .naiveLoop: ("\(programs)/naive", nil)
      case .fastcp(.ring): ("\(programs)/fastcp", mayFallBack ? "auto" : "uring")
      case .fastcp: ("\(programs)/fastcp", "threads")
      }
    return [
      "PATH": "\(program):\(programs)/tools:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": locale,
      "TZ": "UTC", "IOCHANNELS_BACKEND": backend,
    ]
  }
}
