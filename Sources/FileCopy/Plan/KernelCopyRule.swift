import RequestEngine
import SystemCalls

/// Where it is worth letting the kernel copy bytes.
///
/// A server may copy a file that lies on it, and what is stacked on other file systems asks these.
/// On the file systems known here the kernel moves page by page through a pipe what we would read
/// and write: whole files on ext4 and tmpfs take a sixth less time than with a buffer on one
/// machine and up to two fifths more on another, where the parts of a sparse file took half as long
/// again. On xfs that takes 1.8 times as much processor time, and what xfs and btrfs can share was
/// shared before (Documentation/PERFORMANCE.md).
enum KernelCopyRule: Comparable {
  case nothing
  /// Files without holes.
  case wholeFiles
  /// Also what lies between holes.
  case parts

  /// What the file system of an open file may know a better way for than reading and writing.
  init(for file: BorrowedDescriptor) {
    guard let magic = try? file.fileSystemMagic() else {
      self = .nothing
      return
    }
    switch FileSystemKind(magic: magic) {
    case .xfs, .btrfs: self = .nothing
    case .ext4, .tmpfs: self = .wholeFiles
    case .other: self = .parts
    }
  }
}
