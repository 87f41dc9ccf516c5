@testable import fastcp

/// The manual page, made from the table of options and texts about those that cp does not have.
enum Manual {
  /// What there is to say beyond the line of the help text, in sentences.
  static let details: [OptionKind: String] = [
    .interactive:
      "Only a file that --update would replace is asked about. An answer that does not begin with "
      + "y keeps the file, and the exit status is 1.",
    .noClobber:
      "Counts as --update=none, whatever --update says before or after it. A file that is kept is "
      + "no failure.",
    .update:
      "The last of -u and --update counts. With none, existing files are kept; with none-fail each "
      + "of them is also a failure; with older, those that are older than their source are "
      + "replaced.",
    .jobs:
      "By default one for each processor that affinity and control groups leave, and while these "
      + "wait for disks up to four for each, but no more than eight. One file is copied by one "
      + "thread.",
    .progress:
      "By default (auto) a line appears on a terminal when the copy has run for half a second. It "
      + "shows what is done of the bytes and files found so far, the smoothed rate, the time, what "
      + "is left of it, and errors. With always it appears at once, and where standard error is no "
      + "terminal as one line a second. With json there is an object a line on standard error.",
    .statistics:
      "Files, bytes, how many of them are shared or in holes, time, rate and errors, on standard "
      + "output.",
    .json:
      "Standard output gets one object a line for everything that was made, warned of or failed, "
      + "and a last one of type summary. A name that is not UTF-8 has its bytes beside it, in "
      + "hexadecimal digits, under the key that ends in _hex. Replaces what -v and --debug print.",
    .atomic:
      "A copy is made under no name or a hidden one, and renamed over what has its name: a "
      + "regular file or a symbolic link, which is not followed then. Owner and mode of a replaced "
      + "file are kept unless those of the source are. A refused renaming is an error. Without "
      + "this option an existing file is written to, as cp does.",
    .verify:
      "Each file is brought to the disk, read again past the page cache and compared with what was "
      + "read from its source by sums of 128 bits (XXH3). A file whose blocks are shared is "
      + "verified by their places. Where the page cache cannot be passed, as in memory, the report "
      + "says cached. A copy that differs is removed and is an error.",
    .direct:
      "Both files are opened with O_DIRECT where the file systems allow it, and copied in the "
      + "usual way where they do not. With auto that is done for files from 64 MiB that are not in "
      + "the page cache; without WHEN for all but small ones.",
    .dropCache:
      "What was written is brought to the disk and leaves the page cache while the copy goes on. "
      + "Of sources only what was not in it before does.",
    .tolerateChanges:
      "A source that grows or changes while it is copied gets a message, as without the option, "
      + "but does not change the exit status. Of a file that grows, the length that it had when it "
      + "was opened is copied.",
    .dryRun:
      "Prints what -v would. No file is made, changed or removed; questions of -i count as "
      + "answered with yes.",
    .failFast: "By default the rest is copied and the exit status tells of the failure.",
    .debug: "Also says what io_uring carried.",
  ]

  static var text: String {
    var text = """
      .\\" Made by scripts/packaging from the table of options; changes here are lost.
      .TH FASTCP 1 "2026-11-21" "fastcp \(Program.version)" "User Commands"
      .SH NAME
      fastcp \\- copy files and directories, many at a time
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
      .BR cp (1);
      the long options that cp does not have are explained at length below.
      .PP
      Holes, hard links, times and attributes are kept where cp keeps them.
      A new file larger than one write appears under its name when it is
      complete; a small one can be read by its owner only until then.
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
    var text = ".TP\n\(names.joined(separator: ", "))\n\(sentence(row.help))\n"
    if let details = details[row.kind] {
      for line in details.split(separator: ". ") {
        let isLast = line.hasSuffix(".")
        text += wrapped(escaped(String(line)) + (isLast ? "" : ".")) + "\n"
      }
    }
    return text
  }

  /// Text on lines of fewer than 80 bytes.
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
    let first = help.prefix(1).uppercased()
    let text = escaped(first + help.dropFirst())
    return text.hasSuffix(".") ? text : text + "."
  }

  /// Text in which no character steers the formatter.
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
    Everything was copied.
    .TP
    .B 1
    Something was not, the answer to a question was no, or the options cannot be followed.
    .PP
    The message
    .RB \\[oq] "file NAME was changed while being copied" \\[cq]
    means that the length of a source or its time of writing changed between its
    opening and the end of its copy, so that the copy may hold bytes of both
    states.
    The exit status is 1, unless
    .B \\-\\-tolerate\\-changes
    is given.
    Where a file system makes times up, as with FUSE, the contents are compared
    first.
    .PP
    The first SIGINT, SIGTERM or SIGHUP begins nothing more, removes what is
    incomplete, prints a summary and ends the process with that signal; the
    second one ends it at once.
    A file that was being overwritten stays as far as it came, unless
    .B \\-\\-atomic
    is given.
    SIGUSR1 prints a line about the progress.
    .SH ENVIRONMENT
    .TP
    .BR VERSION_CONTROL ", " SIMPLE_BACKUP_SUFFIX
    How backups are made, as for cp.
    .TP
    .B POSIXLY_CORRECT
    Options end at the first operand.
    .TP
    .BR COLUMNS ", " TERM
    The width of the line of progress, and whether the terminal can draw it.
    The line has no colours, so
    .B NO_COLOR
    changes nothing.
    .TP
    .B IOCHANNELS_BACKEND
    .BR auto ,
    .B uring
    or
    .BR threads :
    how bytes are carried between file systems.
    .SH FILES
    .TP
    .I .fastcp\\-*
    A file that is not complete yet.
    One that was left by a copy which was killed is removed by the next one in
    the same directory.
    .TP
    .I /etc/xattr.conf
    Which extended attributes are not copied.
    .SH EXAMPLES
    .TP
    .B fastcp \\-a src /backup
    An exact copy of a tree.
    .TP
    .B fastcp \\-a \\-\\-verify \\-\\-stats /media/card footage
    Read every copy again, and sum up.
    .TP
    .B fastcp \\-a \\-\\-json src dst | jq \\(aqselect(.type == \\(dqerror\\(dq)\\(aq
    Only what failed, for a program.
    .SH NOTES
    Files of one run are copied in no fixed order, but for the operands.
    .SH SEE ALSO
    .BR cp (1),
    .BR rsync (1),
    .BR io_uring (7)

    """
}
