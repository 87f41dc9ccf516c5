/// What an open file is.
public struct FileType: RawRepresentable, Hashable, Sendable {
  /// The type bits of `st_mode`.
  public let rawValue: UInt32

  /// Takes the type bits out of a mode.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue & 0o170000
  }

  /// A regular file.
  public static let regular = FileType(rawValue: 0o100000)
  /// A directory.
  public static let directory = FileType(rawValue: 0o040000)
  /// A symbolic link.
  public static let symbolicLink = FileType(rawValue: 0o120000)
  /// A block device.
  public static let blockDevice = FileType(rawValue: 0o060000)
  /// A character device, terminals among them.
  public static let characterDevice = FileType(rawValue: 0o020000)
  /// A pipe or FIFO.
  public static let fifo = FileType(rawValue: 0o010000)
  /// A socket.
  public static let socket = FileType(rawValue: 0o140000)
}
