/// The options of a copy.
///
/// ```swift
/// var options = CopyOptions.archive
/// options.isAtomic = true
/// let copier = FileCopier(options)
/// ```
public struct CopyOptions: Sendable {
  /// The symbolic links that are followed: their target is copied instead of the link.
  public enum Following: Sendable, Hashable {
    /// None. Links are copied as links.
    case nothing
    /// Links that are given as sources.
    case operands
    /// All, also inside directories.
    case everything
  }

  /// Whether directories are copied recursively.
  ///
  /// A recursive copy creates FIFOs and devices anew. Any other copy reads them.
  public var isRecursive: Bool = false
  /// The symbolic links that are followed.
  ///
  /// This is independent of `isRecursive`. The options of `cp -r` include `.nothing`.
  public var following: Following = .everything
  /// The attributes that are copied along with the contents.
  public var preserved: PreservedAttributes = []
  /// The treatment of extended attributes that cannot be copied.
  public var attributeLoss: AttributeLoss = .failing
  /// Whether new files get the default mode instead of one derived from the source's mode.
  ///
  /// It has no effect if modes are preserved.
  public var usesPlainModes: Bool = false
  /// Whether directories that are mount points are created, but their contents not copied.
  public var staysOnFileSystem: Bool = false
  /// Whether copies share blocks with their sources.
  public var clones: CloneRule = .automatic
  /// The treatment of holes and zeros in files.
  public var holes: HoleRule = .automatic
  /// The treatment of an existing destination file.
  public var overwriting: OverwriteRule = .always
  /// Whether an existing file is replaced only if it is older than its source.
  public var updatesOnly: Bool = false
  /// The naming of backups of existing files; nil for no backups.
  public var backup: BackupNaming?
  /// Whether an existing file is removed before its replacement is created.
  public var removesBeforeOpening: Bool = false
  /// Whether an existing file that cannot be opened is removed and created anew.
  public var removesAfterFailedOpen: Bool = false
  /// The kind of entry that is created for sources that are not directories: copies or links.
  public var product: CopyProduct = .copies
  /// Whether the full path of each source is recreated under the destination.
  public var keepsParents: Bool = false
  /// Whether existing symbolic links to directories at the destination are followed.
  public var keepsDirectoryLinks: Bool = false
  /// Whether file contents are copied; otherwise only attributes and directory structure.
  public var copiesBytes: Bool = true
  /// Whether a recursive copy reads FIFOs and devices instead of creating them anew.
  public var readsSpecialFiles: Bool = false
  /// A function that returns whether a file may be overwritten.
  ///
  /// It may be called on any thread, and on several threads at once unless ``jobs`` is 1. If nil,
  /// the answer to every question is no.
  public var confirm: (@Sendable (CopyQuestion) -> Bool)?
  /// The number of files that are copied at once, at least 1.
  ///
  /// The default, nil, is one file for each usable processor. With fewer than eight processors and
  /// slow storage, the number rises up to four files for each processor and eight in all.
  public var jobs: Int?
  /// Whether files are replaced atomically.
  ///
  /// A temporary file is written and then renamed. It replaces an existing regular file, or an
  /// existing symbolic link itself. If this option is false, an existing file is overwritten in
  /// place, also one that a symbolic link points to.
  public var isAtomic: Bool = false
  /// Whether every copied regular file is compared with its source.
  ///
  /// The copy is read back, and its checksum is compared with that of the source. A copy that
  /// shares all blocks with its source is not read: the addresses of the blocks are compared.
  public var verifies: Bool = false
  /// The files that are copied with direct I/O, which bypasses the page cache.
  public var direct: DirectRule = .never
  /// Whether copies, and sources that were not cached before, are dropped from the page cache.
  ///
  /// The data is flushed during the copy, because the kernel drops only flushed pages.
  public var dropsCache: Bool = false
  /// Whether the copy is a dry run, which reports what it would do and changes nothing.
  public var isDryRun: Bool = false
  /// Whether a source that changes while it is copied is a warning instead of a failure.
  ///
  /// A copy that ends up longer than its source is still a failure. If this option is true, only
  /// the bytes that a growing file had when it was opened are copied.
  public var toleratesChanges: Bool = false
  /// Whether the copy stops at the first failure.
  public var stopsAtFailure: Bool = false
  /// Whether the sources are counted at the same time as they are copied.
  ///
  /// The progress of the copy then includes the totals.
  public var countsAhead: Bool = false
  /// The observer that receives the events of the copy.
  public var observer: CopyObserver?

  /// Creates options that copy single files and follow symbolic links.
  public init() {}

  /// The options of `cp -a`: recursive, links as links, and all attributes preserved.
  ///
  /// Extended attributes that cannot be copied are skipped silently.
  public static var archive: CopyOptions {
    var options = CopyOptions()
    options.isRecursive = true
    options.following = .nothing
    options.preserved = .all
    options.attributeLoss = .ignored
    return options
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

/// The interpretation of the destination path.
public enum CopyPlacement: Sendable, Hashable {
  /// Sources are copied into the destination if it is a directory.
  ///
  /// Otherwise a single source gets the destination's name.
  case automatic
  /// Sources are copied into the destination, which must be a directory.
  case intoDirectory
  /// The single source gets the destination's name, even if that is an existing directory.
  case exactly
}
