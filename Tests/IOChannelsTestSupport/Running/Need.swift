internal import CIOChannelsTestSupport
public import Testing

/// Something that a test cannot do without.
///
/// A test is skipped where the need is not met, and never silently: each skip is written to the
/// register that `scripts/test` compares with what the machine should offer.
public enum Need: String, CaseIterable, Sendable {
  /// The superuser, for owners, devices and mounts.
  case root
  /// Loop devices and mounts, for images of file systems.
  case loop
  /// io_uring as the ring needs it.
  case ring
  /// xfs on a loop device.
  case xfs
  /// btrfs on a loop device.
  case btrfs
  /// `/dev/fuse`, for a file system in which things go wrong.
  case fuse
  /// The file systems of Debian's packages that are served by programs, and images that cannot be
  /// written to.
  case fileSystems
  /// The program fakeroot, below which users see owners and devices that the kernel does not have.
  case fakeroot
  /// The program git, which decides what is ignored.
  case git
  /// The program mpirun of Open MPI, which starts several processes and numbers them.
  case openMPI
  /// The program parallel of GNU, which starts several processes and starts them again.
  case parallel
  /// The servers and commands of Slurm and munge, which start several processes and queue them.
  case slurm
  /// The server and the client of OpenSSH.
  case secureShell
  /// Namespaces of networks, mounts and processes, and the program ip.
  case network
  /// FAT on a loop device.
  case vfat
  /// An NFS server on this machine.
  case nfs
  /// The kernel's events about ext4, in tracefs.
  case events
  /// The kernel's tracing, of which an instance can be created.
  case tracing
  /// A hard limit of at least 1,200 descriptors for each process.
  case descriptors
  /// The kernel's connector, which reports forks and execs.
  case connector
  /// Linux 6.15, which keeps the status of a process that was waited for.
  case statuses
  /// Control groups with a limit on memory, and a kernel that counts memory pressure.
  case pressure
  /// The tier with the full counts.
  case full

  /// Whether the need is met, found out once in a run.
  public var isMet: Bool {
    switch self {
    case .root: ct_user() == 0
    case .loop: Need.canMountExt4
    case .ring: Need.canSetUpRing
    case .xfs: Need.canMountXFS
    case .btrfs: Need.canMountBtrfs
    case .fuse: Need.canMountFUSE
    case .fileSystems: Need.canMountAll
    case .fakeroot: Need.hasFakeroot
    case .git: Need.hasGit
    case .openMPI: Need.hasOpenMPI
    case .parallel: Need.hasParallel
    case .slurm: Need.hasSlurm
    case .secureShell: Need.hasSecureShell
    case .network: Need.canCreateNetwork
    case .vfat: Need.canMountVFAT
    case .nfs: Need.canMountNFS
    case .events: Need.hasEvents
    case .tracing: (try? TraceInstance().openPipe()) != nil
    case .descriptors: Need.allowsManyDescriptors
    case .connector: Need.hasConnector
    case .statuses: Need.keepsStatuses
    case .pressure: MemoryGroup.isUsable
    case .full: Tier.current == .full
    }
  }

  private static let canSetUpRing = ct_probe_ring() == 0
  private static let canMountExt4 = LoopImage.canMount(.ext4, megabytes: 4)
  private static let canMountXFS = LoopImage.canMount(.xfs, megabytes: 320)
  private static let canMountFUSE = (try? FaultFileSystem()) != nil
  private static let hasEvents =
    (try? run(["test", "-d", "/sys/kernel/tracing/events/ext4"]))?.succeeded ?? false
  private static let allowsManyDescriptors =
    (try? run(["bash", "-c", "ulimit -Sn 1200"]))?.succeeded ?? false
  private static let hasConnector = ct_probe_connector() == 0
  private static let keepsStatuses = ct_probe_kept_status() == 0
  private static let canMountAll = MountedFileSystem.canMountAll
  private static let hasFakeroot = (try? run(["fakeroot", "true"]))?.succeeded ?? false
  private static let hasGit = (try? run(["git", "--version"]))?.succeeded ?? false
  private static let hasOpenMPI = (try? run(["mpirun", "--version"]))?.succeeded ?? false
  private static let hasParallel =
    (try? run(["bash", "-c", "parallel --version | grep -q '^GNU parallel'"]))?.succeeded ?? false
  private static let hasSlurm = hasPrograms(["munged", "slurmctld", "slurmd", "srun", "sbatch"])
  private static let hasSecureShell = hasPrograms(["sshd", "ssh", "ssh-keygen"])
  private static let canCreateNetwork =
    (try? run(
      [
        "unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--mount-proc",
        "ip", "link", "set", "lo", "up",
      ],
      environment: LoopImage.systemPath
    ))?.succeeded ?? false
  private static let canMountVFAT = MountedFileSystem.canMount(.vfat)
  private static let canMountNFS = MountedFileSystem.canMount(.nfs)
  private static let canMountBtrfs = LoopImage.canMount(.btrfs, megabytes: 160)

  private static func hasPrograms(_ names: [String]) -> Bool {
    names.allSatisfy { name in
      let command = ["sh", "-c", "command -v \"$0\"", name]
      return (try? run(command, environment: LoopImage.systemPath))?.succeeded ?? false
    }
  }

  /// Skips the running test when the need is not met.
  public func orSkip() throws {
    if isMet { return }
    try Need.skip(self, Test.current?.name ?? "a test")
  }

  static func skip(_ need: Need, _ name: String) throws {
    SkipRegister.add(need: need, test: name)
    try Test.cancel("needs \(need.rawValue)")
  }
}

/// Skips a test, or all tests of a suite, where a need is not met.
public struct NeedTrait: TestTrait, SuiteTrait {
  /// What is needed.
  public let needs: [Need]

  /// A suite hands the trait on to its tests, so that each skip has its own line.
  public let isRecursive = true

  /// Looks whether the needs are met, before the test starts.
  public func prepare(for test: Test) async throws {
    if test.isSuite { return }
    for need in needs where !need.isMet {
      try Need.skip(need, test.name)
    }
  }
}

extension Trait where Self == NeedTrait {
  /// Skips where one of the needs is not met.
  public static func needs(_ needs: Need...) -> NeedTrait {
    NeedTrait(needs: needs)
  }
}
