/// How files are copied.
public struct CopyOptions: Sendable {
  /// Which symbolic links are copied as what they point to.
  public enum Following: Sendable, Hashable {
    /// None: links are copied as links.
    case nothing
    /// Those that are named as sources.
    case operands
    /// All.
    case everything
  }

  /// Whether directories are copied with everything below them.
  ///
  /// FIFOs and devices are made anew when set, and read when not.
  public var isRecursive: Bool = false
  /// Which symbolic links are copied as what they point to.
  ///
  /// It does not follow from `isRecursive`: `cp -r` stands for `.nothing`.
  public var following: Following = .everything
  /// What is copied besides the bytes.
  public var preserved: PreservedAttributes = []
  /// What becomes of extended attributes that cannot be copied.
  public var attributeLoss: AttributeLoss = .failing
  /// Whether new files get the mode that any new file gets, whatever their source's mode is.
  ///
  /// Counts where modes are not preserved.
  public var usesPlainModes: Bool = false
  /// Whether directories of other file systems than the one around them are left empty.
  public var staysOnFileSystem: Bool = false
  /// Whether copies share their source's blocks.
  public var clones: CloneRule = .automatic
  /// What becomes of zeros in a file.
  public var holes: HoleRule = .automatic
  /// What happens to a file that has a copy's name already.
  public var overwriting: OverwriteRule = .always
  /// Whether only files that are missing or older than their source are copied.
  public var updatesOnly: Bool = false
  /// How a file in the way is kept under another name; nil when it is not.
  public var backup: BackupNaming?
  /// Whether a file in the way is removed first.
  public var removesBeforeOpening: Bool = false
  /// Whether a file in the way that cannot be opened is removed.
  public var removesAfterFailedOpen: Bool = false
  /// What is made of sources that are no directories.
  public var product: CopyProduct = .copies
  /// Whether sources get their whole path inside the destination, with the directories on it.
  public var keepsParents: Bool = false
  /// Whether a symbolic link to a directory at the destination is used as that directory.
  public var keepsDirectoryLinks: Bool = false
  /// Whether the bytes are copied; else files are made and described only.
  public var copiesBytes: Bool = true
  /// Whether FIFOs and devices in a tree are read instead of made anew.
  public var readsSpecialFiles: Bool = false
  /// Answers whether a file may be overwritten; without it the answer is no. Called on any thread.
  public var confirm: (@Sendable (CopyQuestion) -> Bool)?
  /// How many files are copied at a time, from 1.
  ///
  /// Nil stands for one for each usable processor. Where there are fewer than eight, it stands for
  /// up to four for each while these wait for disks, eight at most.
  public var jobs: Int?
  /// Whether every file appears under its name whole or not at all.
  ///
  /// Files and symbolic links that have the name are replaced by renaming; else an existing file is
  /// written to.
  public var isAtomic: Bool = false
  /// Whether every copy is read again and compared with its source.
  public var verifies: Bool = false
  /// Which files are copied past the page cache.
  public var direct: DirectRule = .never
  /// Whether what was copied is taken out of the page cache again.
  public var dropsCache: Bool = false
  /// Whether what would be done is only told: nothing is made, changed or removed.
  public var isRehearsal: Bool = false
  /// Whether a source that grows or changes while it is copied is a warning and no failure.
  ///
  /// Of a file that grows, the length that it had at the beginning is copied.
  public var toleratesChanges: Bool = false
  /// Whether the first failure stops the copy.
  public var stopsAtFailure: Bool = false
  /// Whether the sources are counted beside the copy, so that its progress tells what is left.
  public var countsAhead: Bool = false
  /// Who hears of what happens.
  public var observer: CopyObserver?

  /// Makes options that copy single files and follow links.
  public init() {}

  /// Options that make an exact copy of a tree, links as links and with all attributes.
  public static var archive: CopyOptions {
    var options = CopyOptions()
    options.isRecursive = true
    options.following = .nothing
    options.preserved = .all
    options.attributeLoss = .ignored
    return options
  }
}

/// Which files are copied past the page cache.
public enum DirectRule: Sendable, Hashable {
  /// None.
  case never
  /// Large ones that are not in memory.
  case automatic
  /// All but small ones, where the file systems allow it.
  case always
}

/// Where the sources of a copy are put.
public enum CopyPlacement: Sendable, Hashable {
  /// Into the destination where it is a directory; else a single source gets its name.
  case automatic
  /// Into the destination, which must be a directory.
  case intoDirectory
  /// The single source gets the destination's name, whatever has it now.
  case exactly
}
