@testable import fastcp

/// The manual page, created from the table of options and further text about some of them.
enum Manual {
  /// The sentences that stand in place of the help text of an option.
  private static let descriptions: [OptionKind: String] = [
    .backup:
      "Back up each existing destination file. With none (or off) no backup is created. With "
      + "simple (or never) the backup has the name of the file and a suffix, see -S. With numbered "
      + "(or t) it has the name and a number, such as file.~1~. With existing (or nil) it is "
      + "numbered if there are numbered backups of the file, otherwise simple. If CONTROL is "
      + "absent, the environment variable VERSION_CONTROL decides, and without it existing is "
      + "used. -b takes no CONTROL.",
    .update:
      "Replace existing files. With all (if the option is absent), every existing file is "
      + "replaced. With none, all are kept. With none-fail, all are kept, and each causes an "
      + "error. With older (if WHICH is absent, as with -u), those that are older than their "
      + "sources are replaced. The last of -u and --update counts.",
    .context:
      "Set the default SELinux label on new files. --context=CTX is not supported and causes an "
      + "error. On a system without SELinux, -Z and --context are ignored, and --context=CTX is "
      + "ignored with a warning.",
    .progress:
      "Show progress on standard error. With auto (if the option is absent) a progress line "
      + "appears on a terminal after half a second. It shows the files and bytes done and found so "
      + "far, the smoothed rate, the elapsed time, the estimated time left and the number of "
      + "errors. With never it does not appear. With always (if WHEN is absent) it appears at "
      + "once; if standard error is not a terminal, a new line is printed each second. With json a "
      + "JSON object is printed each second.",
    .verify:
      "Read each copy back and compare checksums. Each file that does not share all blocks with "
      + "its source is flushed to disk and read back with direct I/O. Its 128-bit checksum (XXH3, "
      + "the only SUM is xxh128) is compared with that of the bytes read from the source. A file "
      + "that shares all blocks with its source is verified by comparing the block addresses. "
      + "Where the page cache cannot be bypassed, as on tmpfs, the copy is read from the page "
      + "cache and reported as cached, which is not an error. If the copy differs, an error is "
      + "reported. A new file is then removed. A file that was overwritten in place stays, with "
      + "the wrong contents. With --atomic, an existing file is replaced only after the "
      + "verification.",
    .direct:
      "Bypass the page cache for the source and the copy (O_DIRECT). With never (if the option is "
      + "absent) no file is copied with direct I/O. With auto, all files of at least 64 MiB that "
      + "are not in the page cache are. With always (if WHEN is absent), all files larger than 64 "
      + "KiB are. Files with holes, and files on file systems without O_DIRECT and on FUSE, are "
      + "always copied through the page cache.",
    .dropCache:
      "Drop copies from the page cache, and sources that were not cached before. Written data is "
      + "flushed to disk and dropped during the copy.",
    .tolerateChanges:
      "Warn instead of failing if a source changes while it is copied. The message is the same, "
      + "but the exit status does not become 1 because of it. A copy that ends up longer than its "
      + "source is still an error. If a file grows, only the bytes that it had when it was opened "
      + "are copied.",
  ]

  /// The sentences that follow the help text of an option.
  private static let details: [OptionKind: String] = [
    .interactive:
      "Asks only about a file that --update would replace. An answer that does not begin with y "
      + "keeps the file, and the exit status is 1.",
    .noClobber:
      "Same as --update=none, and overrides any other --update option. A file that is kept causes "
      + "no error.",
    .reflink:
      "With auto, a file whose blocks cannot be shared is copied. With always, that is an error.",
    .oneFileSystem: "Directories that are mount points are created, but left empty.",
    .jobs:
      "By default there is one job for each CPU that affinity and control groups allow. With fewer "
      + "than eight CPUs and slow storage, the number rises up to four for each CPU and eight in "
      + "all. With -i, files are copied one at a time. One job copies each file; a large file is "
      + "not divided among jobs.",
    .statistics:
      "Prints the number of files, bytes, shared bytes, bytes in holes and errors, the time and "
      + "the rate to standard output.",
    .json:
      "Each object is one line on standard output. Messages appear on standard error as well. The "
      + "last object has the type summary. A name that is not valid UTF-8 is accompanied by its "
      + "bytes in hexadecimal, under a key that ends in _hex. Replaces the output of -v, --debug "
      + "and --stats.",
    .atomic:
      "Each copy is written to an unnamed or hidden temporary file. The temporary file is then "
      + "renamed to the name of the copy and replaces an existing regular file, or an existing "
      + "symbolic link itself. The owner and mode of a replaced file are kept, unless those of the "
      + "source are preserved. If the rename fails, an error is reported and the existing file "
      + "stays. Without this option, an existing file is overwritten in place, as cp does, also "
      + "one that a symbolic link points to.",
    .dryRun:
      "Prints the output of -v. Nothing is created, changed or removed, and questions of -i count "
      + "as answered with yes.",
    .failFast:
      "By default, the remaining files are copied after an error, and the exit status is 1.",
    .debug: "Also prints the number of requests and bytes that io_uring carried.",
  ]

  static var text: String {
    var text = """
      .\\" Generated by scripts/packaging from the table of options; do not edit.
      .TH FASTCP 1 "2026-11-26" "fastcp \(Program.version)" "User Commands"
      .SH NAME
      fastcp \\- copy files and directories, many files at once
      .SH SYNOPSIS
      .B fastcp
      .RI [ OPTION ].\\|.\\|.\\&
      .RB [ \\-T ]
      .I SOURCE DEST
      .br
      .B fastcp
      .RI [ OPTION ].\\|.\\|.\\&
      .IR SOURCE .\\|.\\|.\\&
      .I DIRECTORY
      .br
      .B fastcp
      .RI [ OPTION ].\\|.\\|.\\&
      .B \\-t
      .I DIRECTORY SOURCE\\c
      \\&.\\|.\\|.
      .SH DESCRIPTION
      Copy SOURCE to DEST, or several SOURCEs into DIRECTORY.
      Options, operands, messages and exit status are those of
      .BR cp (1)
      of GNU coreutils 9.11.
      This page describes the most important exceptions.
      All are listed in Documentation/DIFFERENCES.md in the source code.
      Options that cp does not have are explained in detail below.
      .PP
      Holes, hard links, timestamps and attributes are preserved where cp
      preserves them.
      A new file larger than 64 KiB appears under its name only when it is
      complete.
      A smaller new file has its name from the start, and only its owner can read
      it until it is complete.
      .SH OPTIONS

      """
    for row in OptionTable.rows { text += entry(row) }
    text += closing
    return text
  }

  private static func entry(_ row: OptionRow) -> String {
    var names = row.letters.map { "\\fB\\-\($0)\\fR" }
    if let name = row.name {
      let value = row.value.map { value in
        row.isValueOptional ? "[=\\fI\(value)\\fR]" : "=\\fI\(value)\\fR"
      }
      names.append("\\fB\\-\\-\(escaped(name))\\fR" + (value ?? ""))
    }
    var text = ".TP\n\(names.joined(separator: ", "))\n"
    let description = descriptions[row.kind] ?? sentence(row.help)
    for part in [description, details[row.kind]].compactMap({ $0 }) {
      for line in part.split(separator: ". ") {
        text += wrapped(escaped(String(line) + (line.hasSuffix(".") ? "" : "."))) + "\n"
      }
    }
    return text
  }

  /// Returns the text broken into lines of fewer than 80 bytes.
  private static func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.utf8.count + word.utf8.count < 79 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func sentence(_ help: String) -> String {
    help.prefix(1).uppercased() + help.dropFirst() + "."
  }

  /// Returns the text with the characters escaped that control the formatter.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }

  private static let closing = """
    .SH EXIT STATUS
    .TP
    .B 0
    There was no error.
    Files that are kept because of \\-n, \\-u or \\-\\-update=none are no error.
    .TP
    .B 1
    A file or one of its attributes could not be copied or verified, a question
    was answered with no, standard output could not be written, or the command
    line is invalid.
    .PP
    The message
    .RB \\[oq] "file NAME was changed while being copied" \\[cq]
    means that the size or modification time of a source changed while it was
    copied, so that the copy may mix old and new contents.
    The copy stays, and the exit status is 1.
    With
    .BR \\-\\-tolerate\\-changes ,
    it is 1 only if the copy is longer than its source.
    If only the time changed, on a file system with unreliable timestamps, such
    as FUSE, the source and the copy are compared, and only a difference is an
    error.
    .PP
    A process that a signal ends has no exit status; a shell shows 128 plus the
    number of the signal.
    .SH SIGNALS
    After the first SIGINT, SIGTERM or SIGHUP, no further copy is started,
    incomplete new files are removed, a summary is printed, and the process ends
    with that signal.
    The summary is printed on standard error, unless
    .B \\-\\-stats
    prints it on standard output.
    A second signal ends the process at once.
    A file that was being overwritten in place is left incomplete; use
    .B \\-\\-atomic
    to avoid that.
    After SIGUSR1, a line about the progress is printed on standard error.
    .SH ENVIRONMENT
    .TP
    .BR VERSION_CONTROL ", " SIMPLE_BACKUP_SUFFIX
    The kind and suffix of backups, as for cp.
    .TP
    .B POSIXLY_CORRECT
    If set, options end at the first operand.
    .TP
    .BR COLUMNS ", " TERM
    The width of the progress line, and whether the terminal can redraw it.
    The line has no colors, so
    .B NO_COLOR
    has no effect.
    .TP
    .B IOCHANNELS_BACKEND
    How data is copied between file systems:
    .B uring
    (io_uring),
    .B threads
    (plain system calls on threads) or
    .B auto
    (the default).
    .SH FILES
    .TP
    .I .fastcp\\-*
    A temporary file.
    A killed copy may leave it behind.
    A later copy that needs such a file in the same directory removes those whose
    process has certainly ended.
    Files left before a restart, or by another machine or container, stay and may
    be deleted.
    .TP
    .I /etc/xattr.conf
    Names the extended attributes that are not copied.
    .SH EXAMPLES
    .TP
    .B fastcp \\-a src /backup
    Copy a tree exactly.
    .TP
    .B fastcp \\-a \\-\\-verify \\-\\-stats /media/card footage
    Read every copy back, and print a summary.
    .TP
    .B fastcp \\-a \\-\\-json src dst | jq \\(aqselect(.type == \\(dqerror\\(dq)\\(aq
    Print only the errors, as JSON.
    .SH NOTES
    The copies of operands are started in the given order, and several may run
    at once.
    Files within one operand are copied in no particular order.
    .SH SEE ALSO
    .BR cp (1),
    .BR rsync (1),
    .BR io_uring (7)

    """
}
