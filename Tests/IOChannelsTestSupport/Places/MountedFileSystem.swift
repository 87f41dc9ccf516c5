/// A file system of a kind, mounted for as long as the value lives.
///
/// Needs ``Need/fileSystems``, and the last two kinds needs of their own.
public final class MountedFileSystem: Sendable {
  /// A kind of file system.
  public enum Kind: String, CaseIterable, Sendable {
    case ext4
    case xfs
    case btrfs
    case tmpfs
    case overlay
    case squashfs
    case erofs
    case ntfs
    case exfat
    case bindfs
    case unionfs
    /// The same past the page cache, where a read may be short.
    case unionfsDirect
    case encfs
    case sshfs
    /// Needs ``Need/vfat``.
    case vfat
    /// Needs ``Need/nfs``.
    case nfs

    /// What it needs.
    public var need: Need {
      switch self {
      case .vfat: .vfat
      case .nfs: .nfs
      default: .fileSystems
      }
    }

    /// Whether nothing can be written to it.
    public var isReadOnly: Bool { self == .squashfs || self == .erofs }

    /// Whether a program serves its files.
    public var isServed: Bool {
      switch self {
      case .ntfs, .exfat, .bindfs, .unionfs, .unionfsDirect, .encfs, .sshfs: true
      default: false
      }
    }
  }

  /// Where the file system is mounted.
  public let path: String
  /// The directory whose files a program serves, if one does.
  public let behind: String
  private let place: TemporaryDirectory

  /// Makes and mounts a file system, and waits until it is served.
  ///
  /// - Parameters:
  ///   - kind: The file system.
  ///   - files: The bytes of the files that it has, by name.
  /// - Throws: ``TestFailure`` when it cannot be made or mounted.
  public init(_ kind: Kind, files: [String: [UInt8]]) throws {
    place = try TemporaryDirectory(in: kind == .overlay || kind.isServed ? nil : "/dev/shm")
    path = place("mounted")
    behind = place("behind")
    try runSuccessfully(["mkdir", path, behind, place("more"), place("work")])
    for (name, bytes) in files { try place.write(bytes, to: "behind/\(name)") }
    try runSuccessfully(
      ["bash", "-euc", MountedFileSystem.script(kind)],
      environment: LoopImage.systemPath.merging(["LC_ALL": "C"]) { $1 },
      directory: place.path
    )
  }

  deinit {
    let script = "exportfs -u 127.0.0.1:\"$PWD/behind\"; umount mounted || umount -l mounted"
    let command = ["bash", "-c", script]
    _ = try? run(command, environment: LoopImage.systemPath, directory: place.path)
  }

  /// Mounts `mounted`, in which the files of `behind` are seen.
  private static func script(_ kind: Kind) -> String {
    /// An image that is written to once it is mounted.
    func image(_ megabytes: Int, _ make: String, _ mount: String = "mount -o loop") -> String {
      "truncate -s \(megabytes)M image; \(make) image >made 2>&1; \(mount) image mounted; "
        + "cp -R behind/. mounted"
    }
    return switch kind {
    case .ext4: image(64, "mkfs.ext4 -q -F")
    case .xfs: image(320, "mkfs.xfs -q -f")
    case .btrfs: image(160, "mkfs.btrfs -q -f")
    case .vfat: image(64, "mkfs.vfat")
    case .ntfs: image(64, "mkfs.ntfs -q -F -Q", "mount -t ntfs-3g -o loop")
    case .exfat: image(64, "mkfs.exfat", "mount -t exfat-fuse -o loop")
    case .tmpfs: "mount -t tmpfs none mounted; cp -R behind/. mounted"
    case .overlay:
      "mount -t overlay -o lowerdir=behind,upperdir=more,workdir=work none mounted"
    case .squashfs:
      "mksquashfs behind image -quiet -no-progress >made; mount -o loop image mounted"
    case .erofs: "mkfs.erofs image behind >made 2>&1; mount -o loop image mounted"
    case .bindfs: "bindfs behind mounted"
    case .unionfs: "unionfs \"$PWD/behind=RW\" \"$PWD/mounted\""
    case .unionfsDirect: "unionfs -o direct_io \"$PWD/behind=RW\" \"$PWD/mounted\""
    case .encfs:
      "printf 'key\\nkey\\n' | encfs --standard -S \"$PWD/more\" \"$PWD/mounted\" >made; "
        + "cp -R behind/. mounted"
    case .sshfs:
      // The server of the protocol itself, without a connection.
      "printf '#!/bin/sh\\nexec /usr/lib/openssh/sftp-server\\n' >server; chmod +x server; "
        + "sshfs -o ssh_command=\"$PWD/server\" \"host:$PWD/behind\" mounted"
    case .nfs:
      "exportfs -i -o rw,no_root_squash,insecure,fsid=1 127.0.0.1:\"$PWD/behind\"; "
        + "mount -t nfs -o vers=4,nolock 127.0.0.1:\"$PWD/behind\" mounted"
    }
  }

  /// Whether one of each kind that needs no more than packages can be mounted.
  static var canMountAll: Bool {
    Kind.allCases.allSatisfy { $0.need != .fileSystems || canMount($0) }
  }

  /// Whether a file system of a kind can be mounted.
  static func canMount(_ kind: Kind) -> Bool {
    (try? MountedFileSystem(kind, files: ["file": [1]])) != nil
  }
}
