internal import CIOChannelsSystem

/// How a name is opened. Every opening closes on `exec`.
public struct OpenFlags: OptionSet, Sendable {
  /// The bits as the kernel takes them.
  public let rawValue: Int32

  /// Wraps bits of the kernel, also those without a name here.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// For reading, the default when nothing else is said.
  public static let readOnly = OpenFlags([])
  /// For writing.
  public static let writeOnly = OpenFlags(rawValue: 0o1)
  /// For reading and writing.
  public static let readWrite = OpenFlags(rawValue: 0o2)
  /// Makes the file when there is none.
  public static let create = OpenFlags(rawValue: 0o100)
  /// With `create`: fails when there is one, even a dangling link.
  public static let exclusive = OpenFlags(rawValue: 0o200)
  /// A terminal does not become the process's own.
  public static let noTerminal = OpenFlags(rawValue: 0o400)
  /// Every write goes to the end of the file.
  public static let append = OpenFlags(rawValue: 0o2000)
  /// Cuts the file to length 0.
  public static let truncate = OpenFlags(rawValue: 0o1000)
  /// Does not wait for the other end of a FIFO or for a device.
  public static let nonBlocking = OpenFlags(rawValue: 0o4000)
  /// Fails when the name is not a directory.
  public static let directory = OpenFlags(rawValue: csys_o_directory)
  /// Fails when the last component is a symbolic link.
  public static let noFollow = OpenFlags(rawValue: csys_o_nofollow)
  /// Transfers go past the page cache. Plain calls must suit the device's blocks; those of channels
  /// need not (S141).
  public static let direct = OpenFlags(rawValue: CSYS_O_DIRECT)
  /// Only a handle for names below and for metadata; needs no permission on the file.
  public static let path = OpenFlags(rawValue: csys_o_path)
  /// Makes a file without a name in the directory that is opened.
  public static let unnamed = OpenFlags(rawValue: csys_o_tmpfile)
}

extension BorrowedDescriptor {
  /// Stands for the working directory where a directory is asked for.
  package static let workingDirectory = BorrowedDescriptor(rawValue: -100)
}
