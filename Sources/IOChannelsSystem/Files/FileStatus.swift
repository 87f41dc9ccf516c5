/// The kind of a file.
public enum FileKind: Sendable, Hashable {
  /// A regular file.
  case regular
  /// A directory.
  case directory
  /// A symbolic link.
  case symbolicLink
  /// A FIFO or an anonymous pipe.
  case fifo
  /// A socket.
  case socket
  /// A character device, such as a terminal.
  case characterDevice
  /// A block device, such as a disk.
  case blockDevice
  /// A kind that the file system does not report or that has no name here.
  case unknown

  /// Creates a kind from the type bits of a mode.
  @inlinable
  package init(mode: UInt32) {
    // The type of a directory entry has the same bits as the mode, shifted.
    self.init(entryType: UInt8((mode & 0o170000) >> 12))
  }

  /// Creates a kind from the type of a directory entry.
  @inlinable
  package init(entryType: UInt8) {
    switch entryType {
    case 1: self = .fifo
    case 2: self = .characterDevice
    case 4: self = .directory
    case 6: self = .blockDevice
    case 8: self = .regular
    case 10: self = .symbolicLink
    case 12: self = .socket
    default: self = .unknown
    }
  }
}

/// The timestamp of a file.
package struct FileTime: Sendable, Hashable, Comparable {
  /// The seconds since 1970, negative before.
  package var seconds: Int64
  /// The additional nanoseconds, from 0 to 999,999,999.
  package var nanoseconds: UInt32

  package init(seconds: Int64, nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  // The derived operator would not be inlined into other modules.
  @inlinable
  package static func == (one: FileTime, other: FileTime) -> Bool {
    one.seconds == other.seconds && one.nanoseconds == other.nanoseconds
  }

  package static func < (one: FileTime, other: FileTime) -> Bool {
    (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
  }
}

extension FileStatus {
  /// The number of allocated bytes, or the largest number if that is exceeded.
  @inlinable package var allocatedBytes: Int64 {
    let (bytes, overflows) = blocks.multipliedReportingOverflow(by: 512)
    return overflows ? .max : bytes
  }
}

/// The identity of a file: the device of its file system and its inode number.
///
/// Two open files with one identity are the same file, also under different names.
public struct FileIdentity: Sendable, Hashable {
  /// The device number of the file system.
  public package(set) var device: UInt64
  /// The inode number, unique in the file system as long as the file exists.
  public package(set) var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The metadata of a file (`statx`).
public struct FileStatus: Sendable, Hashable {
  /// The device and inode number.
  public package(set) var identity: FileIdentity
  /// The type bits and permission bits.
  @usableFromInline package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// The length of a transfer that the file system prefers, in bytes.
  package var blockSize: UInt32
  package var links: UInt64
  /// The length in bytes, which file systems such as `/proc` may report wrongly.
  public package(set) var size: Int64
  /// The number of allocated blocks of 512 bytes.
  @usableFromInline package var blocks: Int64
  package var accessed: FileTime
  package var modified: FileTime
  package var changed: FileTime
  /// The device number of a special file.
  package var specialDevice: UInt64

  package init(
    identity: FileIdentity,
    mode: UInt32,
    owner: UInt32 = 0,
    group: UInt32 = 0,
    blockSize: UInt32 = 4096,
    links: UInt64 = 1,
    size: Int64 = 0,
    blocks: Int64 = 0,
    accessed: FileTime,
    modified: FileTime,
    changed: FileTime,
    specialDevice: UInt64 = 0
  ) {
    self.identity = identity
    self.mode = mode
    self.owner = owner
    self.group = group
    self.blockSize = blockSize
    self.links = links
    self.size = size
    self.blocks = blocks
    self.accessed = accessed
    self.modified = modified
    self.changed = changed
    self.specialDevice = specialDevice
  }

  /// The kind of the file.
  @inlinable public var kind: FileKind { FileKind(mode: mode) }

  /// The permission bits, including set-ID bits and the sticky bit.
  @inlinable package var permissions: UInt32 { mode & 0o7777 }

  /// Whether fewer blocks are allocated than the length needs.
  @inlinable package var isSparse: Bool { blocks < size / 512 }
}
