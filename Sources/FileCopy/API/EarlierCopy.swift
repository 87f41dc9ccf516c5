/// An earlier copy of the same sources, with which a new copy shares unchanged files.
///
/// A regular file of a source is unchanged if the file at the same place of the earlier copy has
/// its length and its modification time. The places are relative to the directory that sources are
/// copied into, or to the copy of the only source. A request implies
/// ``PreservedAttributes/timestamps``, because a later copy compares them.
public struct EarlierCopy: Sendable, Hashable {
  /// The way in which unchanged files are shared.
  public enum Sharing: Sendable, Hashable {
    /// The new file shares the blocks of the earlier one (a clone), and has its own metadata.
    ///
    /// Where the file system has no clones, the source is copied.
    case blocks
    /// The new file is a hard link to the earlier one, if all preserved metadata are the same.
    ///
    /// Otherwise the source is copied. This implies ``CopyOptions/isAtomic``, so that no file is
    /// overwritten which an earlier copy shares.
    case hardLinks
  }

  /// The path of the earlier copy.
  public var path: BytePath
  /// The way in which unchanged files are shared.
  public var sharing: Sharing

  /// Creates a request to share the unchanged files of an earlier copy.
  public init(_ path: some BytePathConvertible, sharing: Sharing) {
    self.path = path.bytePath
    self.sharing = sharing
  }
}
