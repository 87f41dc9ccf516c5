internal import CIOChannelsSystem

/// The flags with which a name is opened.
///
/// Every descriptor is opened with `O_CLOEXEC`.
public struct OpenFlags: OptionSet, Sendable {
  /// The bits as `open` takes them.
  public let rawValue: Int32

  /// Creates a set from bits of the kernel, which need not have a name here.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The file is opened for reading, which is the default.
  public static let readOnly = OpenFlags([])
  /// The file is opened for writing.
  public static let writeOnly = OpenFlags(rawValue: 0o1)
  /// The file is opened for reading and writing.
  public static let readWrite = OpenFlags(rawValue: 0o2)
  /// The file is created if it does not exist.
  public static let create = OpenFlags(rawValue: 0o100)
  /// The call fails if `create` is set and the name exists, even as a dangling symbolic link.
  public static let exclusive = OpenFlags(rawValue: 0o200)
  /// A terminal does not become the controlling terminal of the process.
  public static let noTerminal = OpenFlags(rawValue: 0o400)
  /// Writes append to the file.
  public static let append = OpenFlags(rawValue: 0o2000)
  /// The file is truncated to length 0.
  public static let truncate = OpenFlags(rawValue: 0o1000)
  /// The call does not wait for the other end of a FIFO or for a device.
  public static let nonBlocking = OpenFlags(rawValue: 0o4000)
  /// The call fails if the name is not a directory.
  public static let directory = OpenFlags(rawValue: csys_o_directory)
  /// The call fails if the last component is a symbolic link.
  public static let noFollow = OpenFlags(rawValue: csys_o_nofollow)
  /// Transfers bypass the page cache (direct I/O).
  ///
  /// Plain calls must be aligned to the blocks of the device. Operations of channels need not be
  /// (S141).
  public static let direct = OpenFlags(rawValue: CSYS_O_DIRECT)
  /// The descriptor is a handle for metadata and for lookups below it, and needs no permission on
  /// the file.
  public static let path = OpenFlags(rawValue: csys_o_path)
  /// A file without a name is created in the opened directory (`O_TMPFILE`).
  public static let unnamed = OpenFlags(rawValue: csys_o_tmpfile)
}

extension BorrowedDescriptor {
  /// The working directory, as a base for relative names (`AT_FDCWD`).
  package static let workingDirectory = BorrowedDescriptor(rawValue: -100)
}
