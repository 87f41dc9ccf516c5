/// A file, directory or link that a copy created.
public struct CopyRecord: Sendable, Hashable {
  /// The kind of file that was created.
  public enum Kind: Sendable, Hashable {
    /// A regular file, and the method that copied its contents.
    case file(CopyMethod)
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink
    /// A hard link.
    case hardLink
    /// A FIFO, socket or device.
    case special
  }

  /// The kind of file that was created.
  public let kind: Kind
  /// The path of the source.
  public let source: BytePath
  /// The path of the copy.
  public let destination: BytePath
  /// The number of bytes of a regular file; otherwise 0.
  public let byteCount: Int64
  /// The way in which a regular file was verified; nil if it was not.
  public let check: CopyCheck?
}
