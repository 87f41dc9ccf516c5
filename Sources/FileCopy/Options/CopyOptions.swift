/// What to copy of files besides their bytes.
public struct PreservedAttributes: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Makes a set of its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The permission bits, set-id and sticky among them.
  public static let mode = PreservedAttributes(rawValue: 1)
  /// Owner and group, as far as the process may give files away.
  public static let ownership = PreservedAttributes(rawValue: 2)
  /// The times of the last access and the last change, to the nanosecond.
  public static let timestamps = PreservedAttributes(rawValue: 4)
  /// Names of one file stay names of one file.
  public static let links = PreservedAttributes(rawValue: 8)
  /// Everything.
  public static let all: PreservedAttributes = [.mode, .ownership, .timestamps, .links]
}

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
  public var following: Following = .everything
  /// What is copied besides the bytes.
  public var preserved: PreservedAttributes = []
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
  /// How many files are copied at a time, from 1; nil stands for the usable processors.
  public var jobs: Int?
  /// Whether what would be done is only told: nothing is made, changed or removed.
  public var isRehearsal: Bool = false
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
    return options
  }
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
