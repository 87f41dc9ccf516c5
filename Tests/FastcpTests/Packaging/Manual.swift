@testable import fastcp

/// The manual page, created from the table of options and further text about some of them.
enum Manual {
  /// The sentences that follow the help text of an option.
  private static let details: [OptionKind: String] = [
    .attributesOnly:
      "The attributes are those of --preserve. An existing file keeps its contents, and a new file "
      + "is empty.",
    .contents:
      "The contents of a FIFO end when its last writer closes it. Without -R the contents are read "
      + "in any case.",
    .force:
      "This option does not suppress the questions of -i, and it does not remove a file that -n "
      + "keeps. The order of these options does not matter.",
    .keepDirectoryLinks:
      "The contents of a directory are then copied into the directory that the link leads to. "
      + "Without this option, a link with the name of a copied directory is an error, unless it "
      + "becomes a backup.",
    .hardLinks:
      "With -r, directories are created anew. An existing file is an error, unless it is a link to "
      + "SOURCE already, -u or -n keeps it, it is removed because of -f, -i or "
      + "--remove-destination, or it becomes a backup. --atomic does not replace it.",
    .symbolicLinks:
      "A link contains SOURCE as it was given. So SOURCE must be an absolute path, unless the link "
      + "is created in the working directory. With -r, directories are created anew.",
    .parents:
      "For example, --parents a/b/c dir creates dir/a/b/c, and the directories on its path.",
    .interactive:
      "Asks only about a file that --update would replace. The file is overwritten if the answer "
      + "begins with y or Y, in every locale. Any other answer keeps it, and the exit status is 1.",
    .noClobber:
      "Same as --update=none, and overrides any other --update option. A file that is kept causes "
      + "no error.",
    .reflink:
      "Blocks can be shared within one file system, such as btrfs or xfs. With auto, a file whose "
      + "blocks cannot be shared is copied. With always, that is an error, and each new file has "
      + "its name from the start.",
    .recursive:
      "Symbolic links are then copied as links, unless -L follows all of them, or -H those that "
      + "are given as SOURCE. Without this option, or with -l, they are followed, unless -P or -d "
      + "is given.",
    .oneFileSystem:
      "Directories that are mount points in SOURCE are created without their contents. If they "
      + "exist in DEST, their contents stay, also with --delete.",
    .jobs:
      "By default a copy begins with one job for each CPU that affinity and control groups allow. "
      + "While these CPUs wait for storage, the number rises to at most eight, or four with one "
      + "CPU. With --durable, the default is 32. A low limit of open files (see ulimit -n) reduces "
      + "the number. With -i, files are copied one at a time, those of a directory in the order of "
      + "their names and before its subdirectories. One job copies each file; a large file is not "
      + "divided among jobs.",
    .statistics:
      "Prints the number of files, bytes, shared bytes, bytes in holes and errors, the time and "
      + "the rate to standard output, or to standard error with --json.",
    .json:
      "With --also-to, an object for each destination precedes the summary. Each object is one "
      + "line on standard output. Messages appear on standard error as well. The last object has "
      + "the type summary. There is none if the command line is invalid or a second signal ends "
      + "the process. A name that is not valid UTF-8 is accompanied by its bytes in hexadecimal, "
      + "under a key that ends in _hex. The keys are listed in "
      + "Documentation/Reference/EXIT-STATUS-AND-JSON.md in the source code. Replaces the output "
      + "of -v and --debug. With --stats, the summary is also printed as text on standard error.",
    .quiet:
      "Warnings, the progress line and the summary of an interrupted copy are not printed either. "
      + "Questions of -i are still asked, and SIGUSR1 still prints a line. Cannot be combined with "
      + "-v, --debug, --json, --stats, --dry-run, and --progress with always or json.",
    .atomic:
      "Each copy is written to an unnamed or hidden temporary file. The temporary file is then "
      + "renamed to the name of the copy and replaces an existing regular file, or an existing "
      + "symbolic link itself. The mode of a replaced file is kept, and its owner if you may set "
      + "it, unless those of the source are preserved. If you may not set the owner, the file "
      + "becomes yours, without permissions for a group, and there is no message. A file that you "
      + "may not write to is replaced too, without -f, if you may write to its directory. Its "
      + "access control list and extended attributes are lost, and its other names (hard links) "
      + "keep the old contents. If the destination of a SOURCE is an existing FIFO or device, the "
      + "data is written to it. Inside of a copied directory, that is an error. If the rename "
      + "fails, an error is reported and the existing file stays. With -b, the existing file has "
      + "the name of its backup from the start of the copy, so that its own name is missing "
      + "meanwhile. Without this option, an existing file is overwritten in place, as cp does. If "
      + "the destination of a SOURCE is a symbolic link, the file that it points to is "
      + "overwritten. See also INCOMPLETE COPIES.",
    .byteRate:
      "RATE is a whole number, at least 1. Without a unit it is in bytes, and not in KiB as with "
      + "rsync. No RATE stands for an unlimited copy. T and P are units, too, and KiB is the same "
      + "as K. The first letter of a unit may be lower case. The limit holds for all files "
      + "together. Shared blocks and holes do not count, and neither do the reads of --verify.",
    .paced:
      "Each job (see --jobs) has at most about 2 MiB of unwritten data. So the progress line shows "
      + "the speed of the disk, and another program that flushes a file meanwhile waits only a "
      + "moment. The copies stay in the page cache, unlike with --drop-cache. The speed is not "
      + "limited, unlike with --bwlimit, but a copy that fits into memory takes longer.",
    .sync:
      "After the last file, every file system that was written to is flushed (syncfs), with the "
      + "data of other programs on it. Meanwhile the progress line shows how much is left. If a "
      + "disk fails, an error is reported, which need not name the file. A copy that was "
      + "interrupted is not flushed.",
    .durable:
      "After a loss of power, each file that was reported as copied, as by --json, is complete on "
      + "disk. Any other name has the complete new file, the old file or none, and never a part of "
      + "the new one. The data and metadata are flushed before the file gets its name, and the "
      + "name before the file is reported. On ext4, xfs and btrfs one flush serves all files that "
      + "wait for it. So by default up to 32 files are copied at once, on every file system. "
      + "Directories, links and special files are flushed at the end, as with --sync. A failed "
      + "flush is an error of each file that waited for it. It is not repeated, because a second "
      + "one may succeed although data was lost.",
    .resume:
      "After an interruption, run the same command again. If DEST does not exist yet, give -T from "
      + "the first run on. Otherwise the second run copies into the directory that the first one "
      + "created. The option also suits regular updates of a copy. A file with the type, length "
      + "and modification time of its source is kept, and its contents are not copied. If its "
      + "preserved attributes (see --preserve) may have changed since then, they are set again. A "
      + "file of the same length and another time is compared with its source. If it is equal, "
      + "only its attributes are set. All other files are copied again. But a file that -u, -n, "
      + "--update or -i keeps stays, even if it differs from its source. With --verify, or where "
      + "times are not stored exactly, as on FAT, kept files are compared in full, and copied "
      + "again if they differ. If a source changes during its copy, or an attribute cannot be set "
      + "(which is an error), the copy gets a modification time two seconds before that of its "
      + "source. So the next run does not keep it, but compares or copies it. A file of 4 MiB or "
      + "more is copied under a hidden name, which stays after an interruption. The next run on "
      + "the same machine compares its start with the source and copies the rest. A smaller file "
      + "that was interrupted is copied again. After a loss of power, only files that were copied "
      + "with --durable are certainly complete. Without it, run the command again with --verify. "
      + "Cannot be combined with --attributes-only, --link, --symbolic-link and "
      + "--no-preserve=timestamps.",
    .exclude:
      "The patterns of --exclude, --include and --exclude-from have the syntax of gitignore and "
      + "are relative to each SOURCE. The last pattern that matches a name decides, and not the "
      + "first one as with rsync. A directory that is left out is not read, so no name in it can "
      + "be included. SOURCE itself is copied, whatever its name is. A pattern that begins with ! "
      + "includes names, as with --include. If a pattern is not valid, nothing is copied.",
    .excludeFrom:
      "A line that begins with # is a comment. A pattern that begins with ! includes names. A FILE "
      + "named - is not standard input. A line has at most 65536 bytes, and FILE at most 16 MiB. "
      + "If it is longer, nothing is copied.",
    .gitIgnore:
      "The file .git/info/exclude in SOURCE counts too. The patterns of --exclude and --include "
      + "take precedence. The directories above SOURCE, the index and the settings of users are "
      + "not read. So a tracked file that a pattern matches is left out, too. The directory .git "
      + "is copied, and a nested repository has only its own patterns. If a .gitignore file cannot "
      + "be read, its directory is not copied, and that is an error. Cannot be combined with "
      + "--git-ignored-only.",
    .gitIgnoredOnly:
      "This takes build products to another work tree. The patterns are read from the files that "
      + "--gitignore reads. Missing directories that lead to such names are created, and existing "
      + "ones keep their modes and times. Linked work trees and submodules inside SOURCE are left "
      + "out, and so are other repositories that git does not ignore. A tracked file that a "
      + "pattern matches is copied too; --update=none keeps the existing files. The names that "
      + "--exclude matches are left out.",
    .filesFrom:
      "DEST must be an existing directory. Each name has the same effect as a SOURCE. It is "
      + "relative to the working directory, and its copy is DEST/NAME, where NAME is its last "
      + "component. With --parents, the directories on its path are created below DEST. A name may "
      + "begin with a dash, be absolute or contain two dots. A name ends with a newline or, with "
      + "--null, with a zero byte, and may contain all other bytes. A line that begins with # is a "
      + "name. An empty name is an error, but a list without names is none. A name has at most "
      + "65536 bytes, and the list at most 1 GiB. If it is longer, nothing is copied. This option "
      + "can be given once. It cannot be combined with -T and --delete, and - cannot be combined "
      + "with -i.",
    .null:
      "Without this option, a zero byte in the list is an error.",
    .maxDelete:
      "A directory counts as one entry, and so does each entry in it. The entries to remove from a "
      + "directory are counted before the first of them is removed. If they and those counted "
      + "before are more than N, an error is reported, and nothing more is removed from any "
      + "directory. The remaining files are copied. With 0 nothing is removed.",
    .deleteFromEmptySource:
      "Without this option an empty SOURCE is an error, because it may be the mount point of a "
      + "disk that is not mounted. A SOURCE whose entries are all left out, as by --exclude, "
      + "counts as empty. Files that are up to date count as entries. Empty directories inside of "
      + "SOURCE are accepted.",
    .dryRun:
      "Prints the output of -v, or the objects of --json. An error that shows without reading "
      + "files is reported, and the exit status is then 1. With --resume, a file that would be "
      + "compared is listed, and one of which only attributes would change is not. The entries of "
      + "a directory that exceed --max-delete are not listed. Nothing is created, changed or "
      + "removed, and questions of -i count as answered with yes. With --stats, the summary counts "
      + "the files that would be copied.",
    .failFast:
      "Copies that are running are stopped, and incomplete new files are removed. The copy then "
      + "counts as interrupted: --sync does not flush it, --manifest leaves FILE as it was, and "
      + "--delete removes nothing more. By default, the remaining files are still copied after an "
      + "error. The exit status is 1 in both cases (but see --exit-codes).",
    .debug:
      "For each file, a line names the method. After it follows a line in the format of cp "
      + "--debug, such as: copy offload: no, reflink: no, sparse detection: no. There, avoided "
      + "means that an option excludes copy_file_range(2), and no that reads and writes were "
      + "chosen instead. At the end, the number of requests and bytes that io_uring carried is "
      + "printed.",
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
      .br
      .B fastcp
      .RI [ OPTION ].\\|.\\|.\\&
      .BI \\-\\-files\\-from= FILE
      .RI [ SOURCE ].\\|.\\|.\\&
      .I DIRECTORY
      .br
      .B fastcp
      .BI \\-\\-check= FILE
      .I DIRECTORY
      .SH DESCRIPTION
      Copy SOURCE to DEST, or several SOURCEs into DIRECTORY.
      Options, operands, messages and exit status are those of
      .BR cp (1)
      of GNU coreutils 9.11.
      The section DIFFERENCES FROM CP lists the most important exceptions, and
      Documentation/DIFFERENCES.md in the source code lists all of them.
      .PP
      Holes, hard links, timestamps and attributes are preserved where cp
      preserves them.
      A new file larger than 64 KiB appears under its name only when it is
      complete.
      A smaller new file has its name from the start, and only its owner can read
      it until it is complete.
      .PP
      If an option is repeated with another value, the last value counts.
      But \\-\\-exclude, \\-\\-include, \\-\\-exclude\\-from, \\-\\-also\\-to, \\-\\-preserve and
      \\-\\-no\\-preserve may be repeated, and each value counts.
      It is an error to repeat \\-t, \\-\\-files\\-from, \\-\\-link\\-dest or
      \\-\\-reflink\\-dest.
      .SH OPTIONS

      """
    text += ".SS Options of cp\n"
    for row in OptionTable.rows where !row.kind.isOwn { text += entry(row) }
    text += ".SS Options that cp does not have\n"
    for row in OptionTable.rows where row.kind.isOwn { text += entry(row) }
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
    let further = details[row.kind] ?? detailsOfParts[row.kind]
    for part in [description, further].compactMap({ $0 }) {
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
        // A line that begins with a dot would be a request.
        lines.append((word.hasPrefix(".") ? "\\&" : "") + String(word))
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
}
