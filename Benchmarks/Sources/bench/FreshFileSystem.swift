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

  /// The directory of images in memory.
  static let memory = "/dev/shm"

  init(kind: String = "ext4", gigabytes: Int, images: String = memory) throws {
    try Self.needRoot()
    self.kind = kind
    try need("mkfs.\(kind)")
    place = try output("mktemp", "-d", "\(images)/iochannels-bench.XXXXXXXX")
      .trimmingCharacters(in: .newlines)
    path = "\(place)/mounted"
    let image = "\(place)/image"
    try run("mkdir", path)
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

  /// Skips a row that makes a file system in another process, if that cannot be done.
  static func needRoot() throws {
    guard geteuid() == 0 else { throw Skipped("mounting an image needs root") }
  }

  deinit {
    // A process that still uses it must not keep the image from being removed.
    do { try run("umount", path) } catch { try? run("umount", "-l", path) }
    try? run("losetup", "-d", device)
    try? run("rm", "-rf", "--one-file-system", place)
  }
}
