package import IOChannelsSystem

/// The file systems that the routing table distinguishes.
package enum FileSystemKind: Hashable, Sendable, CaseIterable {
  case ext4
  case xfs
  case btrfs
  case tmpfs
  /// A file system that a program serves through FUSE.
  case fuse
  case other

  /// Finds a file system by the magic number of `statfs`.
  package init(magic: UInt32) {
    self =
      switch magic {
      case 0xEF53: .ext4
      case 0x5846_5342: .xfs
      case 0x9123_683E: .btrfs
      case 0x0102_1994: .tmpfs
      case 0x6573_5546: .fuse
      default: .other
      }
  }

  /// Queries the kernel about the file system of an open file.
  ///
  /// A file system that returns an error counts as unknown.
  package init(of descriptor: BorrowedDescriptor) {
    let magic = try? descriptor.fileSystemMagic()
    self = magic.map { Self(magic: $0) } ?? .other
  }

  /// Whether the ring transfers regular files of the file system like plain calls do.
  ///
  /// After a short transfer of a regular file the kernel continues the request by itself. Some file
  /// systems, such as FUSE with direct I/O, do not advance the position of the request. There the
  /// kernel repeats the transfer at the old position and reports bytes that the file does not have.
  /// So the ring gets only file systems for which tests show correct bytes.
  package var isTrustedOnRing: Bool {
    switch self {
    case .ext4, .xfs, .btrfs, .tmpfs: true
    case .fuse, .other: false
    }
  }
}
