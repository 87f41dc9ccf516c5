import IOChannelsEngine
import IOChannelsSystem

/// Where it is worth letting the kernel copy bytes.
///
/// A server may copy a file that lies on it, and what is stacked on other file systems asks these.
/// FUSE is left out: where its server does not copy, the kernel copies what the page cache holds,
/// also of files that are not to be cached, and fills what a short read left with zeros.
///
/// On the file systems known here the kernel moves page by page through a pipe what we would read
/// and write, which took longer in most measurements, and what xfs and btrfs can share was shared
/// before (Benchmarks/Results/settings.md).
enum KernelCopyRule {
  /// Whether the file system of an open file may know a better way than reading and writing.
  static func applies(to file: BorrowedDescriptor) -> Bool {
    FileSystemKind(of: file) == .other
  }
}
