extension EventSource {
  /// The changes of a file that a source reports.
  public struct FileSystemEvent: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A name of the file was removed.
    public static let delete = FileSystemEvent(rawValue: 0x1)
    /// The bytes or the size of the file were changed; for a directory, the names in it.
    public static let write = FileSystemEvent(rawValue: 0x2)
    /// The file grew.
    public static let extend = FileSystemEvent(rawValue: 0x4)
    /// The mode, owner, times or extended attributes were changed.
    public static let attrib = FileSystemEvent(rawValue: 0x8)
    /// The number of names of the file was changed; for a directory, the number of directories in
    /// it.
    public static let link = FileSystemEvent(rawValue: 0x10)
    /// The file was renamed.
    public static let rename = FileSystemEvent(rawValue: 0x20)
    /// The file system was unmounted.
    public static let revoke = FileSystemEvent(rawValue: 0x40)
    /// A lock was released. Linux does not report it.
    public static let funlock = FileSystemEvent(rawValue: 0x100)
    /// All events but ``funlock``.
    public static let all: FileSystemEvent = [
      .delete, .write, .extend, .attrib, .link, .rename, .revoke,
    ]
  }
}
