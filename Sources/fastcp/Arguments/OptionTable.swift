/// The meaning of an option, whichever of its names is given.
enum OptionKind: Int, Sendable {
  case archive, attributesOnly, backup, contents, linksAsLinks, force, interactive
  case keepDirectoryLinks, followOperands, hardLinks, followAll, noClobber, followNone
  case preserve, noPreserve, parents, recursive, reflink, removeDestination, sparse
  case symbolicLinks, stripSlashes, suffix, targetDirectory, noTargetDirectory, update
  case verbose, oneFileSystem, context
  // The options that cp does not have.
  case jobs, progress, statistics, json, quiet, atomic, verify, direct, dropCache
  case byteRate, paced, sync, durable, resume, tolerateChanges
  case delete, maxDelete, deleteFromEmptySource
  case dryRun, failFast
  case exclude, include, excludeFrom, gitIgnore, gitIgnoredOnly, filesFrom, null
  case alsoTo, manifest, checksum, check, reflinkDest, linkDest, shard, exitCodes
  // The options that every such program has, and `--debug`, which cp has too.
  case debug, help, version

  /// Whether cp does not have the option.
  var isOwn: Bool {
    (OptionKind.jobs.rawValue...OptionKind.exitCodes.rawValue).contains(rawValue)
  }
}

/// One row of the table that the parser, the help text, the manual and the completions share.
///
/// Its parts are found when they are asked for, because each start of the program reads the table.
struct OptionRow: Sendable {
  let kind: OptionKind
  /// The names and the help, with two spaces between them, such as `-v, --verbose  print …`.
  let text: String

  /// The letters after a single dash.
  var letters: [Unicode.Scalar] { parts.letters }

  /// The name after two dashes.
  var name: String? {
    let range = parts.name
    return range.isEmpty ? nil : String(decoding: Array(text.utf8)[range], as: UTF8.self)
  }

  /// The placeholder of the value; nil for an option without a value.
  var value: String? {
    let (name, end) = (parts.name.upperBound, parts.help)
    let rest = Array(text.utf8)[name..<end].filter { !"[=] ".utf8.contains($0) }
    return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
  }

  /// Whether the long name may be given without a value; the letters then never take one.
  var isValueOptional: Bool { text.utf8Span.span[parts.name.upperBound] == UInt8(ascii: "[") }

  /// An imperative phrase that describes the option.
  var help: String { String(decoding: Array(text.utf8)[parts.help...], as: UTF8.self) }

  /// The words that the value may be, or be a list of; empty for any other value.
  var words: [String] { OptionTable.words(of: kind) }

  /// Compares the start of the name after two dashes, and the complete name, with some bytes.
  func matches(_ typed: [UInt8]) -> (isPrefix: Bool, isName: Bool) {
    let (bytes, name) = (text.utf8Span.span, parts.name)
    if name.isEmpty || typed.count > name.count { return (false, false) }
    for index in typed.indices where bytes[name.lowerBound + index] != typed[index] {
      return (false, false)
    }
    return (true, typed.count == name.count)
  }

  /// The letters, the range of the long name, and the start of the help.
  private var parts: (letters: [Unicode.Scalar], name: Range<Int>, help: Int) {
    let bytes = text.utf8Span.span
    var (letters, name) = ([Unicode.Scalar](), 0..<0)
    var index = 0
    while bytes[index] == UInt8(ascii: "-") {
      let isLong = bytes[index + 1] == UInt8(ascii: "-")
      let start = isLong ? index + 2 : index + 1
      index = OptionRow.end(from: start, of: bytes) { "[=, ".utf8.contains($0) }
      if isLong { name = start..<index } else { letters.append(Unicode.Scalar(bytes[start])) }
      index = OptionRow.end(from: index, of: bytes) { $0 == UInt8(ascii: " ") } + 1
    }
    return (letters, name.isEmpty ? index - 1..<index - 1 : name, index + 1)
  }

  private static func end(
    from start: Int,
    of bytes: Span<UInt8>,
    where isEnd: (UInt8) -> Bool
  ) -> Int {
    var index = start
    while !isEnd(bytes[index]) { index += 1 }
    return index
  }
}

/// The options, in the order of the help text.
enum OptionTable {
  static let rows: [OptionRow] = texts.map { OptionRow(kind: $0.key, text: $0.value) }

  /// Returns the names of options in the order of cp, which is alphabetical with two exceptions.
  static func namesInOrder(of rows: [OptionRow]) -> [String] {
    let late: [OptionKind] = [.context, .reflink]
    let names = rows.filter { !late.contains($0.kind) }.compactMap(\.name).sorted()
    return names + rows.filter { late.contains($0.kind) }.compactMap(\.name)
  }

  /// Returns the words that the value of an option may be; empty for any other value.
  static func words(of kind: OptionKind) -> [String] {
    switch kind {
    case .backup: ["none", "off", "numbered", "t", "existing", "nil", "simple", "never"]
    case .preserve, .noPreserve:
      ["mode", "ownership", "timestamps", "links", "context", "xattr", "all"]
    case .reflink, .sparse, .direct: ["auto", "always", "never"]
    case .update: ["all", "none", "none-fail", "older"]
    case .progress: ["auto", "always", "never", "json"]
    case .verify: ["xxh128"]
    case .checksum: ["xxh128", "sha256", "blake2b"]
    case .exitCodes: ["standard", "scheduler"]
    default: []
    }
  }

  /// Returns the name of an option for messages.
  static func name(of kind: OptionKind) -> String {
    guard let row = rows.first(where: { $0.kind == kind }) else { return "" }
    return row.name.map { "--\($0)" } ?? row.letters.first.map { "-\($0)" } ?? ""
  }

  /// The names and the help of each option.
  private static let texts: KeyValuePairs<OptionKind, String> = [
    .archive: "-a, --archive  copy trees exactly: same as -dR --preserve=all",
    .attributesOnly:
      "--attributes-only  copy attributes and directory structure, not file contents",
    .backup:
      "-b, --backup[=CONTROL]  back up each existing destination file; CONTROL is none, simple, "
      + "numbered, or existing (numbered if there are numbered backups, else simple); if CONTROL "
      + "is omitted, as with -b, it is the value of VERSION_CONTROL, or else existing",
    .contents: "--copy-contents  with -R, read FIFOs and devices instead of creating new ones",
    .linksAsLinks: "-d  copy symbolic and hard links as links: same as -P --preserve=links",
    .force: "-f, --force  remove an existing file that cannot be opened and try again",
    .interactive: "-i, --interactive  ask before overwriting (overrides an earlier -n)",
    .keepDirectoryLinks:
      "--keep-directory-symlink  follow existing symbolic links to directories in DEST",
    .followOperands: "-H  follow symbolic links that are given as SOURCE",
    .hardLinks: "-l, --link  create hard links to files instead of copies",
    .followAll: "-L, --dereference  follow all symbolic links in SOURCE",
    .noClobber: "-n, --no-clobber  do not overwrite existing files (overrides an earlier -i)",
    .followNone: "-P, --no-dereference  copy symbolic links as symbolic links",
    .preserve:
      "-p, --preserve[=LIST]  preserve the attributes in LIST: mode, ownership, timestamps, "
      + "links, context, xattr or all, or several of these words with commas between them; "
      + "if LIST is omitted, as with -p, mode,ownership,timestamps",
    .noPreserve:
      "--no-preserve=LIST  do not preserve the attributes in LIST, which has the words of "
      + "--preserve",
    .parents: "--parents  create the full path of each SOURCE under DIRECTORY",
    .recursive: "-R, -r, --recursive  copy directories recursively",
    .reflink:
      "--reflink[=WHEN]  share blocks with the source (clone); WHEN is auto (the default), never, "
      + "or always (if WHEN is omitted)",
    .removeDestination:
      "--remove-destination  remove each existing file before the copy, also one that can be "
      + "opened (compare --force)",
    .sparse:
      "--sparse=WHEN  create holes; WHEN is auto (those of the source; the default), always (also "
      + "for blocks of zeros), or never",
    .symbolicLinks: "-s, --symbolic-link  create symbolic links to files instead of copies",
    .stripSlashes: "--strip-trailing-slashes  remove trailing slashes from each SOURCE",
    .suffix:
      "-S, --suffix=SUFFIX  append SUFFIX to the names of simple backups (implies -b; default: the "
      + "value of SIMPLE_BACKUP_SUFFIX, or else ~)",
    .targetDirectory: "-t, --target-directory=DIRECTORY  copy SOURCEs into DIRECTORY",
    .noTargetDirectory:
      "-T, --no-target-directory  use DEST as the name of the copy, even if it is a directory",
    .update:
      "-u, --update[=WHICH]  replace the existing files that WHICH selects: all (the default), "
      + "none, none-fail (none, and report an error for each), or older (those older than SOURCE; "
      + "also if WHICH is omitted, as with -u)",
    .verbose: "-v, --verbose  print the name of each file when its copy begins",
    .oneFileSystem: "-x, --one-file-system  stay on the file system of each SOURCE",
    .context:
      "-Z, --context[=CTX]  set the default SELinux label on new files (CTX is not supported)",
    .jobs:
      "--jobs=N  copy up to N files at once, from 1 to 1024 (default: depends on CPUs and storage)",
    .progress:
      "--progress[=WHEN]  show progress; WHEN is auto (on a terminal, after half a second; the "
      + "default), never, json, or always (if WHEN is omitted)",
    .statistics: "--stats  print a summary at the end",
    .json:
      "--json  print a JSON object for each file, link, special file and new directory copied, for "
      + "each entry removed and for each warning and error, then a summary object",
    .quiet: "--quiet  print nothing but errors",
    .atomic: "--atomic  replace files atomically: write a temporary file, then rename it",
    .verify: "--verify[=SUM]  read each copy back and compare checksums (the only SUM is xxh128)",
    .direct:
      "--direct[=WHEN]  bypass the page cache (O_DIRECT); WHEN is never (the default), auto (large "
      + "files that are not cached), or always (if WHEN is omitted)",
    .dropCache:
      "--drop-cache  drop the copied data from the page cache, but no source that was cached "
      + "before the copy",
    .byteRate:
      "--bwlimit=RATE  copy at most RATE a second: a number of bytes, or a number with K, M or G "
      + "(powers of 1024) or KB, MB or GB (powers of 1000)",
    .paced:
      "--paced  flush data to disk during the copy, so that little of it is unwritten at any time",
    .resume:
      "--resume  continue an interrupted copy: keep complete files and the parts of large ones "
      + "(implies --atomic --preserve=timestamps)",
    .durable: "--durable  flush each file to disk before it counts as copied (implies --atomic)",
    .sync: "--sync  flush the copies to disk at the end",
    .tolerateChanges:
      "--tolerate-changes  only warn if a source changes while it is copied (a copy longer than "
      + "its source is still an error)",
    .exclude:
      "--exclude=PATTERN  leave out names inside SOURCE that match PATTERN, as in a .gitignore "
      + "file",
    .include:
      "--include=PATTERN  copy names that match PATTERN although an earlier --exclude matches them",
    .excludeFrom: "--exclude-from=FILE  read patterns to leave out from FILE, one on each line",
    .gitIgnore: "--gitignore  leave out names that .gitignore files in SOURCE exclude",
    .gitIgnoredOnly:
      "--git-ignored-only  copy only names that .gitignore files in SOURCE exclude, and no nested "
      + "work trees",
    .filesFrom:
      "--files-from=FILE  copy the files that FILE names, one on each line, after those given as "
      + "SOURCE (- is standard input)",
    .null: "--null  read names that end with a zero byte instead of a newline (needs --files-from)",
    .alsoTo:
      "--also-to=DIRECTORY  copy to DIRECTORY as well, as if it were DEST, and read SOURCE once "
      + "for all destinations",
    .manifest:
      "--manifest=FILE  write the checksums and the names of all copied files to FILE",
    .checksum:
      "--checksum=SUM  write checksums of the kind SUM: xxh128 (the default), sha256 or blake2b "
      + "(needs --manifest)",
    .check:
      "--check=FILE  copy nothing, and compare the files in the only operand, a DIRECTORY, with "
      + "the manifest FILE",
    .reflinkDest:
      "--reflink-dest=DIRECTORY  share the blocks of unchanged files with the earlier copy in "
      + "DIRECTORY (implies --preserve=timestamps)",
    .linkDest:
      "--link-dest=DIRECTORY  create hard links to unchanged files of the earlier copy in "
      + "DIRECTORY (implies --atomic --preserve=timestamps)",
    .shard:
      "--shard=PART  copy one of N disjoint parts: PART is I/N with I from 0 to N-1, auto (what "
      + "the variables of a job launcher choose), or finish (after all parts: check the copies, "
      + "and set the attributes of directories)",
    .delete: "--delete  in copied directories, remove the entries that SOURCE lacks (needs -r)",
    .maxDelete:
      "--max-delete=N  remove at most N entries, and report an error instead of removing more "
      + "(needs --delete)",
    .deleteFromEmptySource:
      "--delete-from-empty-source  accept an empty SOURCE, whose copy is emptied (needs --delete)",
    .dryRun: "--dry-run  print what would be copied, and change nothing",
    .failFast: "--fail-fast  stop at the first error",
    .exitCodes:
      "--exit-codes=KIND  choose the exit statuses: KIND is standard (the default) or scheduler "
      + "(42 for an error that a further attempt would repeat)",
    .debug: "--debug  explain how each file is copied (implies -v)",
    .help: "--help  display this help and exit",
    .version: "--version  display the version and exit",
  ]
}
