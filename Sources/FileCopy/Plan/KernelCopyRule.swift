import RequestEngine
import SystemCalls

/// Where it is worth letting the kernel copy bytes.
///
/// A server may copy a file that lies on it, and what is stacked on other file systems asks these.
/// On the file systems known here the kernel reads and writes as we do, but page by page through a
/// pipe: beside pieces of 1 MiB that takes about as much processor time on ext4 and tmpfs, and 1.8
/// times as much on xfs (Documentation/PERFORMANCE.md). What these can share was shared before.
enum KernelCopyRule {
  /// Whether the file system of an open file may know a better way than reading and writing.
  static func mayGain(on file: BorrowedDescriptor) -> Bool {
    guard let magic = try? file.fileSystemMagic() else { return false }
    switch FileSystemKind(magic: magic) {
    case .ext4, .xfs, .btrfs, .tmpfs: return false
    case .other: return true
    }
  }
}
