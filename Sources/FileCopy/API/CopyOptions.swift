/// The options of a copy.
///
/// ```swift
/// var options = CopyOptions.archive
/// options.isAtomic = true
/// options.contents.verifies = true
/// let copier = FileCopier(options)
/// ```
public struct CopyOptions: Sendable {
  /// The files that are copied, and the entries that are created for them.
  public var tree: Tree = Tree()
  /// Further destinations, to which the sources are copied at the same time.
  ///
  /// Each is interpreted like the destination of the call. The bytes of the sources are read once,
  /// unless a destination lags behind the others by more than 64 MiB or 4096 small files. It then
  /// reads them again, so that no destination waits for a slower one. Each destination also reads a
  /// source that was changed a moment ago, which may still be written to. A clone is not read. With
  /// ``HoleRule/always`` each destination reads the sources, and so does a comparison for
  /// ``CopyOptions/Existing/resumes``. The failures of one destination do not stop the others,
  /// unless ``stopsAtFailure`` is true. ``CopyReport/destinations`` has the result of each.
  ///
  /// Limits, such as ``CopyOptions/jobs``, ``CopyOptions/Contents/byteRate`` and
  /// ``CopyOptions/Deletion/limit``, apply to each destination. ``CopyOptions/manifest`` lists the
  /// files of the first one. A destination that is another one, or inside another one or a source,
  /// is a failure before anything is changed. So are two destinations of which one is a directory
  /// that gets the source under its own name, and the other one would become the copy. A FIFO or
  /// character device whose contents would be copied is a failure, because it can be read only
  /// once. Such a copy asks no questions, and has neither direct I/O nor an earlier copy.
  public var furtherDestinations: [BytePath] = []
  /// The treatment of existing files.
  public var existing: Existing = Existing()
  /// The attributes that are copied along with the contents.
  public var metadata: Metadata = Metadata()
  /// The way in which the contents of regular files are copied.
  public var contents: Contents = Contents()
  /// The removal of entries of the destination that the source lacks.
  public var deletion: Deletion = Deletion()
  /// Whether files are replaced atomically.
  ///
  /// A temporary file is written and then renamed. It replaces an existing regular file, or an
  /// existing symbolic link itself. If this option is false, an existing file is overwritten in
  /// place, also one that a symbolic link points to.
  public var isAtomic: Bool = false
  /// The time at which copies are flushed to disk.
  public var durability: DurabilityRule = .automatic
  /// The list of the copied files and their checksums, which the copy writes; nil for none.
  ///
  /// A copy that creates links, copies no contents or is a dry run writes none, and neither does
  /// ``CopyShard/finish``.
  public var manifest: CopyManifest?
  /// An earlier copy with which unchanged files are shared; nil for none.
  ///
  /// A copy that creates links, copies no contents or is a dry run shares none.
  public var earlier: EarlierCopy?
  /// The part of the copy that this process makes; nil for all of it.
  public var shard: CopyShard?
  /// Whether the copy is a dry run, which reports what it would do and changes nothing.
  public var isDryRun: Bool = false
  /// Whether the copy stops at the first failure.
  public var stopsAtFailure: Bool = false
  /// Whether the sources are counted at the same time as they are copied.
  ///
  /// The progress of the copy then includes the totals, and the file that is being copied.
  public var countsAhead: Bool = false
  /// The number of files that are copied at once to each destination, at least 1.
  ///
  /// The default, nil, is one file for each usable processor. With fewer than eight processors and
  /// slow storage, the number rises up to four files for each processor and eight in all. With
  /// ``DurabilityRule/everyFile`` it is 32 files, because most of them wait for the disk.
  public var jobs: Int?
  /// The observer that receives the events of the copy.
  public var observer: CopyObserver?

  /// Creates options that copy single files and follow symbolic links.
  public init() {}

  /// The options of `cp -r`: recursive, links as links, and no attributes preserved.
  public static var recursive: CopyOptions {
    var options = CopyOptions()
    options.tree.isRecursive = true
    options.tree.following = .nothing
    return options
  }

  /// The options of `cp -a`: recursive, links as links, and all attributes preserved.
  ///
  /// Extended attributes that cannot be copied are skipped silently.
  public static var archive: CopyOptions {
    var options = CopyOptions.recursive
    options.metadata.preserved = .all
    options.metadata.attributeLoss = .ignored
    return options
  }
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
