internal import Glibc

/// Control groups whose processes share a limit on memory, for as long as the value lives.
///
/// Needs ``Need/pressure``.
public final class MemoryGroup: Sendable {
  private let directories: [String]

  /// Creates a group with a limit. A group of version 2 counts its pressure, too.
  ///
  /// - Throws: ``TestFailure`` where there can be no such group.
  public init(megabytes: Int) throws {
    let name = "iochannels-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let made = try runSuccessfully(["sh", "-euc", MemoryGroup.creation, name, "\(megabytes)"])
    directories = made.split(separator: "\n").map(String.init)
  }

  private static let creation = """
    root=/sys/fs/cgroup
    bytes=$(($1 << 20))
    if [ -e $root/memory/memory.limit_in_bytes ]; then
      mkdir $root/memory/$0
      echo $bytes >$root/memory/$0/memory.limit_in_bytes
      echo $root/memory/$0
      if [ -e $root/unified/cgroup.procs ]; then
        mkdir $root/unified/$0
        echo $root/unified/$0
      fi
    else
      grep -qw memory $root/cgroup.subtree_control
      mkdir $root/$0
      echo $bytes >$root/$0/memory.max
      echo $root/$0
    fi
    """

  /// Returns a command that runs another one in the group.
  public func command(_ command: [String]) -> [String] {
    let joining = directories.map { "echo $$ >\($0)/cgroup.procs" }.joined(separator: " && ")
    return ["sh", "-c", "\(joining) && exec \"$0\" \"$@\""] + command
  }

  /// Whether such a group can be created, and the kernel counts pressure.
  static let isUsable =
    (try? run(["sh", "-c", ": <>/proc/pressure/memory"]))?.succeeded ?? false
    && (try? MemoryGroup(megabytes: 64)) != nil

  deinit {
    // A process that has ended stays in its group for a moment.
    for directory in directories {
      for _ in 0..<50 where (try? run(["rmdir", directory]))?.succeeded != true {}
    }
  }
}
