import IOChannelsEngine

/// The file systems on which the kernel is to copy bytes (`copy_file_range`).
///
/// A network file system can ask its server to copy a file. A stacked file system passes the call
/// to the file system below.
///
/// FUSE is excluded. If its server does not copy, the kernel copies from the page cache, even for
/// files that must not be cached. It then fills the rest of a short read with zeros.
///
/// The known file systems, ext4, xfs, btrfs and tmpfs, are excluded too. On them the kernel moves
/// single pages through a pipe: a file of 128 MiB in the cache of ext4 took 36 ms, 44 with reads
/// and writes, and smaller or colder ones took longer. On xfs and btrfs, blocks that can be shared
/// were shared before.
enum KernelCopyRule {
  /// Whether a file system may copy in a better way than reads and writes.
  static func applies(to kind: FileSystemKind) -> Bool { kind == .other }
}
