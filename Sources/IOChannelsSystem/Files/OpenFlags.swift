internal import CIOChannelsSystem

/// The flags with which a name is opened.
///
/// Every descriptor is opened with `O_CLOEXEC`. A set has at most one of ``writeOnly`` and
/// ``readWrite``. The kernel opens a file with both, but its reads and writes fail with `EBADF`.
public struct OpenFlags: OptionSet, Sendable {
  /// The bits as `open` takes them.
  public let rawValue: Int32

  /// Creates a set from bits of the kernel, which need not have a name here.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Access for reading, which is the default.
  public static let readOnly = OpenFlags([])
  /// Access for writing.
  public static let writeOnly = OpenFlags(rawValue: 0o1)
  /// Access for reading and writing.
  public static let readWrite = OpenFlags(rawValue: 0o2)
  /// Creation of the file if it does not exist.
  public static let create = OpenFlags(rawValue: 0o100)
  /// Failure if `create` is set and the name exists, even as a dangling symbolic link.
  public static let exclusive = OpenFlags(rawValue: 0o200)
  /// No controlling terminal: an opened terminal does not become that of the process.
  public static let noTerminal = OpenFlags(rawValue: 0o400)
  /// Append mode: each write goes to the end of the file.
  public static let append = OpenFlags(rawValue: 0o2000)
  /// Truncation of the file to length 0.
  public static let truncate = OpenFlags(rawValue: 0o1000)
  /// Non-blocking mode. Opening does not wait either, for the other end of a FIFO or for a device.
  public static let nonBlocking = OpenFlags(rawValue: 0o4000)
  /// Failure if the name is not a directory.
  public static let directory = OpenFlags(rawValue: csys_o_directory)
  /// Failure if the last component is a symbolic link.
  public static let noFollow = OpenFlags(rawValue: csys_o_nofollow)
  /// Direct I/O: transfers bypass the page cache.
  ///
  /// Plain calls must be aligned to the blocks of the device. Operations of channels need not be
  /// (<doc:Rules#S141>).
  public static let direct = OpenFlags(rawValue: CSYS_O_DIRECT)
  /// A handle only, for metadata and lookups. Opening it needs no permission on the file.
  public static let path = OpenFlags(rawValue: csys_o_path)
  /// Creation of a file without a name in the opened directory (`O_TMPFILE`).
  public static let unnamed = OpenFlags(rawValue: csys_o_tmpfile)
}

extension BorrowedDescriptor {
  /// The working directory, as a base for relative names (`AT_FDCWD`).
  package static let workingDirectory = BorrowedDescriptor(rawValue: -100)
}
