/// The meaning of an option, whichever of its names is given.
enum OptionKind: Sendable, Hashable {
  case archive, attributesOnly, backup, contents, linksAsLinks, force, interactive
  case keepDirectoryLinks, followOperands, hardLinks, followAll, noClobber, followNone
  case preserve, noPreserve, parents, recursive, reflink, removeDestination, sparse
  case symbolicLinks, stripSlashes, suffix, targetDirectory, noTargetDirectory, update
  case verbose, oneFileSystem, context
  // The options that cp does not have.
  case jobs, progress, statistics, json, atomic, verify, direct, dropCache, tolerateChanges
  case dryRun, failFast
  case debug, help, version
}

/// One row of the table that the parser, the help text, the manual and the completions share.
struct OptionRow: Sendable {
  let kind: OptionKind
  /// The letters after a single dash.
  let letters: [Character]
  /// The name after two dashes.
  let name: String?
  /// The placeholder of the value; nil for an option without a value.
  let value: String?
  /// Whether the long name may be given without a value; the letters then never take one.
  let isValueOptional: Bool
  /// An imperative phrase that describes the option.
  let help: String
  /// The words that the value may be, or be a list of; empty for any other value.
  let words: [String]

  /// Creates the row of an option from its synopsis, such as `-u, --update[=WHICH]`.
  init(_ kind: OptionKind, _ synopsis: String, _ help: String, words: [String] = []) {
    self.kind = kind
    self.help = help
    self.words = words
    var letters: [Character] = []
    var name: String?
    var value: String?
    for part in synopsis.split(separator: ",") {
      let word = part.drop { $0 == " " }
      guard word.hasPrefix("--") else {
        letters += word.dropFirst()
        continue
      }
      let parts = word.dropFirst(2).split { "[=]".contains($0) }.map(String.init)
      name = parts.first
      value = parts.count > 1 ? parts.last : nil
    }
    self.letters = letters
    self.name = name
    self.value = value
    isValueOptional = synopsis.last == "]"
  }
}

/// The options, in the order of the help text.
enum OptionTable {
  /// The options that cp does not have.
  static let own: Set<OptionKind> = [
    .atomic, .direct, .dropCache, .dryRun, .failFast, .jobs, .json, .progress, .statistics,
    .tolerateChanges, .verify,
  ]

  private static let attributes = [
    "mode", "ownership", "timestamps", "links", "context", "xattr", "all",
  ]

  static let rows: [OptionRow] = [
    OptionRow(.archive, "-a, --archive", "copy trees exactly: same as -dR --preserve=all"),
    OptionRow(
      .attributesOnly,
      "--attributes-only",
      "copy attributes and directory structure, not file contents"
    ),
    OptionRow(
      .backup,
      "-b, --backup[=CONTROL]",
      "back up each existing destination file; CONTROL: none, simple, numbered, or existing "
        + "(-b takes no CONTROL)",
      words: ["none", "off", "numbered", "t", "existing", "nil", "simple", "never"]
    ),
    OptionRow(.contents, "--copy-contents", "with -R, copy the contents of FIFOs and devices"),
    OptionRow(
      .linksAsLinks,
      "-d",
      "copy symbolic and hard links as links: same as -P --preserve=links"
    ),
    OptionRow(.force, "-f, --force", "remove an existing file that cannot be opened and try again"),
    OptionRow(
      .interactive,
      "-i, --interactive",
      "ask before overwriting (overrides an earlier -n)"
    ),
    OptionRow(
      .keepDirectoryLinks,
      "--keep-directory-symlink",
      "follow existing symbolic links to directories in DEST"
    ),
    OptionRow(.followOperands, "-H", "follow symbolic links that are given as SOURCE"),
    OptionRow(.hardLinks, "-l, --link", "create hard links instead of copies"),
    OptionRow(.followAll, "-L, --dereference", "follow all symbolic links in SOURCE"),
    OptionRow(
      .noClobber,
      "-n, --no-clobber",
      "do not overwrite existing files (overrides an earlier -i)"
    ),
    OptionRow(.followNone, "-P, --no-dereference", "copy symbolic links as symbolic links"),
    OptionRow(
      .preserve,
      "-p, --preserve[=LIST]",
      "preserve the attributes in LIST, separated by commas: mode, ownership, timestamps, links, "
        + "context, xattr, all (-p and --preserve alone: mode,ownership,timestamps)",
      words: attributes
    ),
    OptionRow(
      .noPreserve,
      "--no-preserve=LIST",
      "do not preserve the attributes in LIST (as for --preserve)",
      words: attributes
    ),
    OptionRow(.parents, "--parents", "create the full path of each SOURCE under DIRECTORY"),
    OptionRow(.recursive, "-R, -r, --recursive", "copy directories recursively"),
    OptionRow(
      .reflink,
      "--reflink[=WHEN]",
      "share blocks with the source (clone): auto (default), never, or always (same as --reflink "
        + "alone)",
      words: ["auto", "always", "never"]
    ),
    OptionRow(
      .removeDestination,
      "--remove-destination",
      "remove each existing file before opening it (compare --force)"
    ),
    OptionRow(
      .sparse,
      "--sparse=WHEN",
      "create holes: auto (default: as in the source), always (also for blocks of zeros), or never",
      words: ["auto", "always", "never"]
    ),
    OptionRow(.symbolicLinks, "-s, --symbolic-link", "create symbolic links instead of copies"),
    OptionRow(
      .stripSlashes,
      "--strip-trailing-slashes",
      "remove trailing slashes from each SOURCE"
    ),
    OptionRow(
      .suffix,
      "-S, --suffix=SUFFIX",
      "append SUFFIX to the names of simple backups (default: ~)"
    ),
    OptionRow(.targetDirectory, "-t, --target-directory=DIRECTORY", "copy SOURCEs into DIRECTORY"),
    OptionRow(
      .noTargetDirectory,
      "-T, --no-target-directory",
      "use DEST as the name of the copy, even if it is a directory"
    ),
    OptionRow(
      .update,
      "-u, --update[=WHICH]",
      "replace existing files: all (default), none, none-fail (report an error for each), or "
        + "older (only those older than SOURCE; same as -u and --update alone)",
      words: ["all", "none", "none-fail", "older"]
    ),
    OptionRow(.verbose, "-v, --verbose", "print the name of each file as it is copied"),
    OptionRow(.oneFileSystem, "-x, --one-file-system", "stay on the file system of each SOURCE"),
    OptionRow(
      .context,
      "-Z, --context[=CTX]",
      "set the default SELinux label on new files (--context=CTX is not supported)"
    ),
    OptionRow(
      .jobs,
      "--jobs=N",
      "copy up to N files at once (default: depends on CPUs and storage)"
    ),
    OptionRow(
      .progress,
      "--progress[=WHEN]",
      "show progress: auto (default: on a terminal, after half a second), never, json, or always "
        + "(same as --progress alone)",
      words: ["auto", "always", "never", "json"]
    ),
    OptionRow(.statistics, "--stats", "print a summary at the end"),
    OptionRow(
      .json,
      "--json",
      "print a JSON object for each file and message, then a summary object"
    ),
    OptionRow(
      .atomic,
      "--atomic",
      "replace files atomically: write a temporary file, then rename it"
    ),
    OptionRow(
      .verify,
      "--verify[=SUM]",
      "read each copy back and compare checksums (the only SUM is xxh128)",
      words: ["xxh128"]
    ),
    OptionRow(
      .direct,
      "--direct[=WHEN]",
      "bypass the page cache (O_DIRECT): never (default), auto (large files that are not cached), "
        + "or always (same as --direct alone)",
      words: ["auto", "always", "never"]
    ),
    OptionRow(
      .dropCache,
      "--drop-cache",
      "drop the data of sources and copies from the page cache"
    ),
    OptionRow(
      .tolerateChanges,
      "--tolerate-changes",
      "warn, without failing, if a source changes while it is copied"
    ),
    OptionRow(.dryRun, "--dry-run", "print what would be copied, and change nothing"),
    OptionRow(.failFast, "--fail-fast", "stop at the first error"),
    OptionRow(.debug, "--debug", "explain how each file is copied (implies -v)"),
    OptionRow(.help, "--help", "display this help and exit"),
    OptionRow(.version, "--version", "display the version and exit"),
  ]
}
