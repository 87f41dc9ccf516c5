/// What a file is.
package enum FileKind: Sendable, Hashable {
  case regular
  case directory
  case symbolicLink
  case fifo
  case socket
  case characterDevice
  case blockDevice
  /// The file system does not say, or says something that is not known here.
  case unknown

  /// Reads the type bits of a mode.
  package init(mode: UInt32) {
    // The directory entry's type is the mode's type bits.
    self.init(entryType: UInt8((mode & 0o170000) >> 12))
  }

  /// Reads the type of a directory entry.
  init(entryType: UInt8) {
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

/// A point in time as files keep it.
package struct FileTime: Sendable, Hashable {
  /// Seconds since 1970, negative before.
  package var seconds: Int64
  /// Nanoseconds to be added, from 0 to 999,999,999.
  package var nanoseconds: UInt32

  package init(seconds: Int64, nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

extension FileStatus {
  /// The bytes that are allocated, up to the largest number.
  package var allocatedBytes: Int64 {
    let (bytes, overflows) = blocks.multipliedReportingOverflow(by: 512)
    return overflows ? .max : bytes
  }
}

/// The number of a file on its file system and the number of that file system.
package struct FileIdentity: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// What the kernel knows of a file.
package struct FileStatus: Sendable, Hashable {
  package var identity: FileIdentity
  /// Type and permission bits together.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  package var links: UInt64
  /// The length in bytes, which some file systems of the kernel's make up.
  package var size: Int64
  /// Allocated blocks of 512 bytes.
  package var blocks: Int64
  package var accessed: FileTime
  package var modified: FileTime
  package var changed: FileTime
  /// The number of the device that a special file stands for.
  package var specialDevice: UInt64

  package init(
    identity: FileIdentity,
    mode: UInt32,
    owner: UInt32 = 0,
    group: UInt32 = 0,
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
    self.links = links
    self.size = size
    self.blocks = blocks
    self.accessed = accessed
    self.modified = modified
    self.changed = changed
    self.specialDevice = specialDevice
  }

  package var kind: FileKind { FileKind(mode: mode) }

  /// The permission bits with set-id and sticky.
  package var permissions: UInt32 { mode & 0o7777 }

  /// Whether less is allocated than the length asks for.
  package var isSparse: Bool { blocks < size / 512 }
}
