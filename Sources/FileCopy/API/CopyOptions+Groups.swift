extension CopyOptions {
  /// The symbolic links that are followed: their target is copied instead of the link.
  public enum Following: Sendable, Hashable {
    /// None. Links are copied as links.
    case nothing
    /// Links that are given as sources.
    case operands
    /// All, also inside directories.
    case everything
  }

  /// The options about the files that are copied, and the entries that are created for them.
  public struct Tree: Sendable, Hashable {
    /// Whether directories are copied recursively.
    ///
    /// A recursive copy creates FIFOs and devices anew. Any other copy reads them.
    public var isRecursive: Bool = false
    /// The symbolic links that are followed.
    ///
    /// This is independent of `isRecursive`. The options of `cp -r` include `.nothing`.
    public var following: Following = .everything
    /// Whether directories that are mount points are created, but their contents not copied.
    public var staysOnFileSystem: Bool = false
    /// Whether the full path of each source is recreated under the destination.
    public var keepsParents: Bool = false
    /// Whether existing symbolic links to directories at the destination are followed.
    public var keepsDirectoryLinks: Bool = false
    /// Whether a recursive copy reads FIFOs and devices instead of creating them anew.
    public var readsSpecialFiles: Bool = false
    /// The kind of entry that is created for sources that are not directories: copies or links.
    public var product: CopyProduct = .copies
    /// The names inside the sources that are left out.
    public var filter: CopyFilter = CopyFilter()

    /// Creates the options of `cp` for single files.
    public init() {}
  }

  /// The options about existing files of the destination.
  public struct Existing: Sendable {
    /// The treatment of an existing destination file.
    public var rule: OverwriteRule = .always
    /// Whether an existing file is replaced only if it is older than its source.
    public var updatesOnly: Bool = false
    /// Whether the copy continues an interrupted one.
    ///
    /// Existing files with the type, length and modification time of their sources are complete and
    /// kept; they get changed owners and modes. Others of the same length are compared with their
    /// sources, and so are all if ``CopyOptions/Contents/verifies`` is true. This implies
    /// ``CopyOptions/isAtomic`` and ``PreservedAttributes/timestamps``. A large file keeps the part
    /// that it has. The option needs ``CopyOptions/Contents/copiesBytes`` and
    /// ``CopyProduct/copies``.
    public var resumes: Bool = false
    /// The naming of backups of existing files; nil for no backups.
    public var backup: BackupNaming?
    /// Whether an existing file is removed before its replacement is created.
    public var removesBeforeOpening: Bool = false
    /// Whether an existing file that cannot be opened is removed and created anew.
    public var removesAfterFailedOpen: Bool = false
    /// Whether a copy to a dangling symbolic link creates the file that the link names.
    ///
    /// It concerns the sources, not files inside directories. `cp` does so if the environment
    /// variable `POSIXLY_CORRECT` is set.
    public var createsLinkTargets: Bool = false
    /// A function that returns whether a file may be overwritten.
    ///
    /// It may be called on any thread, and on several threads at once unless ``CopyOptions/jobs``
    /// is 1. Then the files of a directory follow in the order of their names, before those of its
    /// subdirectories. If nil, the answer to every question is no.
    public var confirm: (@Sendable (CopyQuestion) -> Bool)?

    /// Creates options that overwrite existing files in place.
    public init() {}
  }

  /// The options about attributes, which are copied along with the contents.
  public struct Metadata: Sendable, Hashable {
    /// The attributes that are copied.
    public var preserved: PreservedAttributes = []
    /// The treatment of extended attributes that cannot be copied.
    public var attributeLoss: AttributeLoss = .failing
    /// Whether new files get the default mode instead of one derived from the source's mode.
    ///
    /// It has no effect if modes are preserved.
    public var usesPlainModes: Bool = false

    /// Creates options that preserve no attributes.
    public init() {}
  }

  /// The options about the contents of regular files.
  public struct Contents: Sendable, Hashable {
    /// Whether copies share blocks with their sources.
    public var clones: CloneRule = .automatic
    /// The treatment of holes and zeros in files.
    public var holes: HoleRule = .automatic
    /// The files that are copied with direct I/O, which bypasses the page cache.
    public var direct: DirectRule = .never
    /// Whether copies, and sources that were not cached before, are dropped from the page cache.
    ///
    /// The data is flushed during the copy, because the kernel drops only flushed pages.
    public var dropsCache: Bool = false
    /// The maximum number of bytes that all threads together copy to a destination in a second; nil
    /// for no limit.
    ///
    /// A limit below 1 counts as 1. Shared blocks and holes are not limited, and neither are the
    /// reads that verify a copy.
    public var byteRate: Int64?
    /// Whether copied data is written back during the copy, so that little of it is unwritten.
    ///
    /// The progress is then that of the disk, and other programs that flush files wait less.
    public var limitsUnwrittenData: Bool = false
    /// Whether file contents are copied; otherwise only attributes and directory structure.
    public var copiesBytes: Bool = true
    /// Whether every copied regular file is compared with its source.
    ///
    /// The copy is read back, and its checksum is compared with that of the source. A copy that
    /// shares all blocks with its source is not read: the addresses of the blocks are compared.
    public var verifies: Bool = false
    /// Whether a source that changes while it is copied is a warning instead of a failure.
    ///
    /// A copy that ends up longer than its source is still a failure. If this option is true, only
    /// the bytes that a growing file had when it was opened are copied.
    public var toleratesChanges: Bool = false

    /// Creates options that copy contents by the cheapest method.
    public init() {}
  }

  /// The options about the removal of entries of the destination that the source lacks.
  ///
  /// An entry is removed only inside a directory that a recursive copy writes to an existing
  /// directory. That happens after all copies in it, and only if all names of the source were read
  /// without an error. Backups, and links of the destination that are followed, exclude removals.
  public struct Deletion: Sendable, Hashable {
    /// Whether entries that the source lacks, or has as another kind of file, are removed.
    ///
    /// Names that ``CopyOptions/Tree/filter`` excludes stay.
    public var removesExtraneous: Bool = false
    /// The maximum number of removed entries, at least 0; nil for no limit.
    ///
    /// The entries of a directory are counted before the first one of them is removed. If they
    /// exceed the limit, that is a failure, and nothing more is removed.
    public var limit: Int?
    /// Whether the copy of a directory without entries may be emptied.
    ///
    /// Otherwise such a source is a failure before anything is changed, because it may be the
    /// mount point of a disk that is not mounted. Entries that ``CopyOptions/Tree/filter`` leaves
    /// out do not count. Empty directories inside a source are accepted.
    public var acceptsEmptySources: Bool = false

    /// Creates options that remove nothing.
    public init() {}
  }
}

/// The files that are copied with direct I/O, which bypasses the page cache.
///
/// Files with holes and files on FUSE are always copied through the page cache.
public enum DirectRule: Sendable, Hashable {
  /// No files.
  case never
  /// Files of at least 64 MiB that are not in the page cache.
  case automatic
  /// Files larger than 64 KiB, where the file systems support it.
  case always
}
