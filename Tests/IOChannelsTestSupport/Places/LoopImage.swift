/// A fresh file system in an image file, mounted for as long as the value lives.
///
/// ext4 avoids inodes that were deleted a moment ago, so a fresh image for each run is also what
/// measurements need. Needs ``Need/loop``.
public final class LoopImage: Sendable {
  /// A kind of file system.
  public enum Kind: String, CaseIterable, Sendable {
    /// No clones.
    case ext4
    /// Clones files; at least 300 MiB.
    case xfs
    /// Clones files; at least 120 MiB.
    case btrfs

    /// The program that makes the file system, and its options.
    public var makeCommand: [String] {
      switch self {
      case .ext4: ["mkfs.ext4", "-q", "-F"]
      case .xfs: ["mkfs.xfs", "-q", "-f", "-m", "reflink=1"]
      case .btrfs: ["mkfs.btrfs", "-q", "-f"]
      }
    }
  }

  /// Where the file system is mounted.
  public let path: String
  private let place: TemporaryDirectory

  /// Makes and mounts a file system.
  ///
  /// - Parameters:
  ///   - kind: The file system.
  ///   - megabytes: The size of the image, a sparse file in memory (`/dev/shm`).
  ///   - options: Further options of the program that makes the file system.
  /// - Throws: ``TestFailure`` when it cannot be made or mounted.
  public init(_ kind: Kind, megabytes: Int, options: [String] = []) throws {
    place = try TemporaryDirectory(in: "/dev/shm")
    path = place("mounted")
    let image = place("image")
    try runSuccessfully(["mkdir", path])
    try runSuccessfully(["truncate", "-s", "\(megabytes)M", image])
    try runSuccessfully(kind.makeCommand + options + [image], environment: LoopImage.systemPath)
    try runSuccessfully(["mount", "-o", "loop", image, path], environment: LoopImage.systemPath)
  }

  deinit {
    unmount(path)
  }

  static let systemPath: [String: String?] = [
    "PATH": (Calls.environmentValue("PATH") ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
  ]

  /// Whether such an image can be made and mounted here.
  static func canMount(_ kind: Kind, megabytes: Int) -> Bool {
    (try? LoopImage(kind, megabytes: megabytes)) != nil
  }
}

/// A small file system in memory, mounted for as long as the value lives.
///
/// Needs ``Need/root``.
public final class MemoryFileSystem: Sendable {
  /// Where the file system is mounted.
  public let path: String
  private let place: TemporaryDirectory

  /// Mounts a file system of a given size.
  ///
  /// - Parameters:
  ///   - kibibytes: What the files may hold together.
  ///   - inodes: How many files there may be; no limit when `nil`.
  /// - Throws: ``TestFailure`` when it cannot be mounted.
  public init(kibibytes: Int, inodes: Int? = nil) throws {
    place = try TemporaryDirectory()
    path = place("mounted")
    try runSuccessfully(["mkdir", path])
    let options = "size=\(kibibytes)k" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
    try runSuccessfully(
      ["mount", "-t", "tmpfs", "-o", options, "tmpfs", path],
      environment: LoopImage.systemPath
    )
  }

  deinit {
    unmount(path)
  }
}

/// Unmounts at once where possible, else as soon as the last user is gone.
private func unmount(_ path: String) {
  let plain = try? run(["umount", path], environment: LoopImage.systemPath)
  if plain?.succeeded ?? false { return }
  _ = try? run(["umount", "-l", path], environment: LoopImage.systemPath)
}
