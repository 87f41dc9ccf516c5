import Foundation
import Measure

/// A new file system in an image in memory or on a disk, mounted while the value lives.
///
/// ext4 keeps away from inodes that were deleted a moment ago, so every run of a copy gets a new
/// one.
final class FreshFileSystem {
  let kind: String
  let path: String
  private let place: String
  private(set) var device = ""
  /// The file system below an overlay.
  private var upper: FreshFileSystem?

  /// The directory of images in memory.
  static let memory = "/dev/shm"

  init(kind: String = "ext4", gigabytes: Int, images: String = memory) throws {
    try Self.needRoot()
    self.kind = kind
    if kind == "tmpfs" || kind == "overlay" {
      (place, path) = try Self.directories(in: images)
      try mountWithoutImage(gigabytes)
      return
    }
    try need("mkfs.\(kind)")
    (place, path) = try Self.directories(in: images)
    let image = "\(place)/image"
    try run("truncate", "-s", "\(gigabytes)G", image)
    switch kind {
    // Without this a kernel thread continues to create the file system while we measure.
    case "ext4":
      try run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
    case "xfs": try run("mkfs.xfs", "-q", "-f", "-m", "reflink=1", image)
    case "btrfs": try run("mkfs.btrfs", "-q", "-f", image)
    default: throw Skipped("no way to make \(kind)")
    }
    do {
      // On a disk nothing of the image is cached below, as nothing is below a partition.
      let direct = images == Self.memory ? "off" : "on"
      device = try output("losetup", "--show", "--direct-io=\(direct)", "-f", image)
        .trimmingCharacters(in: .newlines)
      try run("mount", device, path)
    } catch {
      if !device.isEmpty { try? run("losetup", "-d", device) }
      try? run("rm", "-rf", place)
      throw Skipped("no loop device: \(error)")
    }
  }

  /// Creates a directory for everything, with one in which the file system is mounted.
  private static func directories(in images: String) throws -> (place: String, path: String) {
    let place = try output("mktemp", "-d", "\(images)/iochannels-bench.XXXXXXXX")
      .trimmingCharacters(in: .newlines)
    try run("mkdir", "\(place)/mounted")
    return (place, "\(place)/mounted")
  }

  /// Mounts a file system in memory, or an overlay whose upper directory is on ext4.
  private func mountWithoutImage(_ gigabytes: Int) throws {
    do {
      if kind == "tmpfs" {
        return try run("mount", "-t", "tmpfs", "-o", "size=\(gigabytes)G", "none", path)
      }
      let upper = try FreshFileSystem(gigabytes: gigabytes)
      self.upper = upper
      try run("mkdir", "\(upper.path)/lower", "\(upper.path)/upper", "\(upper.path)/work")
      let directories = ["lower", "upper", "work"].map { "\($0)dir=\(upper.path)/\($0)" }
      try run("mount", "-t", "overlay", "-o", directories.joined(separator: ","), "none", path)
    } catch {
      try? run("rm", "-rf", "--one-file-system", place)
      throw Skipped("cannot mount \(kind): \(error)")
    }
  }

  /// Skips a row that makes a file system in another process, if that cannot be done.
  static func needRoot() throws {
    guard geteuid() == 0 else { throw Skipped("mounting an image needs root") }
  }

  deinit {
    // A process that still uses it must not keep the image from being removed.
    do { try run("umount", path) } catch { try? run("umount", "-l", path) }
    if !device.isEmpty { try? run("losetup", "-d", device) }
    try? run("rm", "-rf", "--one-file-system", place)
  }
}
