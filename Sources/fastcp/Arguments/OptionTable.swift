/// What an option asks for.
enum OptionKind: Sendable, Hashable {
  case archive
  case atomic
  case attributesOnly
  case backup
  case contents
  case context
  case debug
  case direct
  case dropCache
  case dryRun
  case failFast
  case followAll
  case followNone
  case followOperands
  case force
  case hardLinks
  case help
  case interactive
  case jobs
  case json
  case keepDirectoryLinks
  case linksAsLinks
  case noClobber
  case noPreserve
  case noTargetDirectory
  case oneFileSystem
  case parents
  case preserve
  case progress
  case recursive
  case reflink
  case removeDestination
  case statistics
  case sparse
  case stripSlashes
  case suffix
  case symbolicLinks
  case targetDirectory
  case tolerateChanges
  case update
  case verbose
  case verify
  case version
}

/// One row of the table that the parser and the help text are made from.
struct OptionRow: Sendable {
  let kind: OptionKind
  /// The letters behind one dash.
  let letters: [Character]
  /// The name behind two dashes.
  let name: String?
  /// What the value is called, nil when there is none.
  let value: String?
  let help: String
  /// Whether the long name may stand without its value; the letters never take one then.
  var isValueOptional = false
  /// The words that the value may be or be made of; empty where it is something else.
  var words: [String] = []
}

/// All options, in the order of the help text.
enum OptionTable {
  /// The options that cp does not have.
  static let own: Set<OptionKind> = [
    .atomic, .direct, .dropCache, .dryRun, .failFast, .jobs, .json, .progress, .statistics,
    .tolerateChanges, .verify,
  ]

  static let rows: [OptionRow] = [
    OptionRow(
      kind: .archive,
      letters: ["a"],
      name: "archive",
      value: nil,
      help: "exact copies: same as -dR with all attributes"
    ),
    OptionRow(
      kind: .attributesOnly,
      letters: [],
      name: "attributes-only",
      value: nil,
      help: "make and describe files, but leave their bytes"
    ),
    OptionRow(
      kind: .backup,
      letters: ["b"],
      name: "backup",
      value: "CONTROL",
      help: "keep what is in the way; -b takes no CONTROL",
      isValueOptional: true,
      words: ["none", "off", "numbered", "t", "existing", "nil", "simple", "never"]
    ),
    OptionRow(
      kind: .contents,
      letters: [],
      name: "copy-contents",
      value: nil,
      help: "read FIFOs and devices when recursive"
    ),
    OptionRow(
      kind: .linksAsLinks,
      letters: ["d"],
      name: nil,
      value: nil,
      help: "copy symbolic links as links and keep hard links"
    ),
    OptionRow(
      kind: .force,
      letters: ["f"],
      name: "force",
      value: nil,
      help: "remove what is in the way and cannot be opened"
    ),
    OptionRow(
      kind: .interactive,
      letters: ["i"],
      name: "interactive",
      value: nil,
      help: "ask before overwriting; undoes an earlier -n"
    ),
    OptionRow(
      kind: .keepDirectoryLinks,
      letters: [],
      name: "keep-directory-symlink",
      value: nil,
      help: "use links to directories in DEST as directories"
    ),
    OptionRow(
      kind: .followOperands,
      letters: ["H"],
      name: nil,
      value: nil,
      help: "follow symbolic links that are given as SOURCE"
    ),
    OptionRow(
      kind: .hardLinks,
      letters: ["l"],
      name: "link",
      value: nil,
      help: "make hard links instead of copies"
    ),
    OptionRow(
      kind: .followAll,
      letters: ["L"],
      name: "dereference",
      value: nil,
      help: "follow all symbolic links"
    ),
    OptionRow(
      kind: .noClobber,
      letters: ["n"],
      name: "no-clobber",
      value: nil,
      help: "never overwrite; undoes an earlier -i"
    ),
    OptionRow(
      kind: .followNone,
      letters: ["P"],
      name: "no-dereference",
      value: nil,
      help: "follow no symbolic link"
    ),
    OptionRow(
      kind: .preserve,
      letters: ["p"],
      name: "preserve",
      value: "LIST",
      help: "keep mode,ownership,timestamps (-p), or what of",
      isValueOptional: true,
      words: ["mode", "ownership", "timestamps", "links", "context", "xattr", "all"]
    ),
    OptionRow(
      kind: .noPreserve,
      letters: [],
      name: "no-preserve",
      value: "LIST",
      help: "these and of links,context,xattr,all LIST names",
      words: ["mode", "ownership", "timestamps", "links", "context", "xattr", "all"]
    ),
    OptionRow(
      kind: .parents,
      letters: [],
      name: "parents",
      value: nil,
      help: "put each SOURCE under its whole path in DIRECTORY"
    ),
    OptionRow(
      kind: .recursive,
      letters: ["R", "r"],
      name: "recursive",
      value: nil,
      help: "copy directories with everything in them"
    ),
    OptionRow(
      kind: .reflink,
      letters: [],
      name: "reflink",
      value: "WHEN",
      help: "share blocks: auto, never, or always (no WHEN)",
      isValueOptional: true,
      words: ["auto", "always", "never"]
    ),
    OptionRow(
      kind: .removeDestination,
      letters: [],
      name: "remove-destination",
      value: nil,
      help: "remove what is in the way before opening"
    ),
    OptionRow(
      kind: .sparse,
      letters: [],
      name: "sparse",
      value: "WHEN",
      help: "make holes: auto (where some are), always, never",
      words: ["auto", "always", "never"]
    ),
    OptionRow(
      kind: .symbolicLinks,
      letters: ["s"],
      name: "symbolic-link",
      value: nil,
      help: "make symbolic links instead of copies"
    ),
    OptionRow(
      kind: .stripSlashes,
      letters: [],
      name: "strip-trailing-slashes",
      value: nil,
      help: "ignore slashes at the end of each SOURCE"
    ),
    OptionRow(
      kind: .suffix,
      letters: ["S"],
      name: "suffix",
      value: "SUFFIX",
      help: "end names of simple backups with SUFFIX, not ~"
    ),
    OptionRow(
      kind: .targetDirectory,
      letters: ["t"],
      name: "target-directory",
      value: "DIRECTORY",
      help: "copy all SOURCEs into DIRECTORY"
    ),
    OptionRow(
      kind: .noTargetDirectory,
      letters: ["T"],
      name: "no-target-directory",
      value: nil,
      help: "DEST is the copy's name, never a place to put it"
    ),
    OptionRow(
      kind: .update,
      letters: ["u"],
      name: "update",
      value: "WHICH",
      help: "replace: all, none, none-fail, or older (-u)",
      isValueOptional: true,
      words: ["all", "none", "none-fail", "older"]
    ),
    OptionRow(
      kind: .verbose,
      letters: ["v"],
      name: "verbose",
      value: nil,
      help: "say what is copied"
    ),
    OptionRow(
      kind: .oneFileSystem,
      letters: ["x"],
      name: "one-file-system",
      value: nil,
      help: "leave directories of other file systems empty"
    ),
    OptionRow(
      kind: .context,
      letters: ["Z"],
      name: "context",
      value: "CTX",
      help: "label new files by default; CTX is not supported",
      isValueOptional: true
    ),
    OptionRow(
      kind: .jobs,
      letters: [],
      name: "jobs",
      value: "N",
      help: "copy N files at a time; by default 1+ a core"
    ),
    OptionRow(
      kind: .progress,
      letters: [],
      name: "progress",
      value: "WHEN",
      help: "auto, always, never, or json; always without WHEN",
      isValueOptional: true,
      words: ["auto", "always", "never", "json"]
    ),
    OptionRow(
      kind: .statistics,
      letters: [],
      name: "stats",
      value: nil,
      help: "end with a summary for people"
    ),
    OptionRow(
      kind: .json,
      letters: [],
      name: "json",
      value: nil,
      help: "print an object for each file and one for all"
    ),
    OptionRow(
      kind: .atomic,
      letters: [],
      name: "atomic",
      value: nil,
      help: "let each file appear whole, by renaming"
    ),
    OptionRow(
      kind: .verify,
      letters: [],
      name: "verify",
      value: "SUM",
      help: "read copies again and compare sums; xxh128",
      isValueOptional: true,
      words: ["xxh128"]
    ),
    OptionRow(
      kind: .direct,
      letters: [],
      name: "direct",
      value: "WHEN",
      help: "pass the page cache: auto, always, never",
      isValueOptional: true,
      words: ["auto", "always", "never"]
    ),
    OptionRow(
      kind: .dropCache,
      letters: [],
      name: "drop-cache",
      value: nil,
      help: "do not keep copied bytes in the page cache"
    ),
    OptionRow(
      kind: .tolerateChanges,
      letters: [],
      name: "tolerate-changes",
      value: nil,
      help: "warn of sources that change meanwhile, no failure"
    ),
    OptionRow(
      kind: .dryRun,
      letters: [],
      name: "dry-run",
      value: nil,
      help: "say what would be done and touch nothing"
    ),
    OptionRow(
      kind: .failFast,
      letters: [],
      name: "fail-fast",
      value: nil,
      help: "stop at the first failure"
    ),
    OptionRow(
      kind: .debug,
      letters: [],
      name: "debug",
      value: nil,
      help: "say how each file is copied; implies -v"
    ),
    OptionRow(
      kind: .help,
      letters: [],
      name: "help",
      value: nil,
      help: "show this text and exit"
    ),
    OptionRow(
      kind: .version,
      letters: [],
      name: "version",
      value: nil,
      help: "show the version and exit"
    ),
  ]
}
