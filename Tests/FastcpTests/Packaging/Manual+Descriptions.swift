@testable import fastcp

extension Manual {
  /// The sentences that stand in place of the help text of an option.
  static let descriptions: [OptionKind: String] = [
    .backup:
      "Back up each existing destination file. Cannot be combined with -n, --update=none and "
      + "--update=none-fail. CONTROL is one of the following words. With none (or off) no backup "
      + "is created. With simple (or never) the backup has the name of the file and a suffix, see "
      + "-S. With numbered (or t) it has the name and a number, such as file.~1~. With existing "
      + "(or nil) it is numbered if there are numbered backups of the file, otherwise simple. If "
      + "CONTROL is given in none of the options, the environment variable VERSION_CONTROL holds "
      + "the word. If it is not set, the word is existing.",
    .preserve:
      "Preserve the attributes in LIST, which has one of the following words, or several with "
      + "commas between them: mode (permissions and access control list), ownership (user and "
      + "group), timestamps (last access and modification), links (hard links among the copied "
      + "files), context (SELinux label), xattr (extended attributes) and all. If LIST is omitted, "
      + "as it always is with -p, it is mode,ownership,timestamps. An owner that only the "
      + "superuser can set is not preserved, without a message. An extended attribute that cannot "
      + "be stored causes an error with xattr. With all it causes a warning, but none if the file "
      + "system stores no such attributes. With -a, extended attributes are copied where that is "
      + "possible, and there is no message about others.",
    .noPreserve:
      "Do not preserve the attributes in LIST, which has the words of --preserve. A later -a or "
      + "--preserve takes precedence. For example, -a --no-preserve=ownership copies everything "
      + "but the users and groups of the files.",
    .sparse:
      "Create holes in the copies. WHEN is one of the following words. With auto (the default) a "
      + "copy has the holes of its source. With always, blocks of zeros become holes as well. With "
      + "never, copies have no holes. With always and never no blocks are shared, and "
      + "--reflink=always is refused.",
    .update:
      "Replace existing files. WHICH is one of the following words. With all (the default), every "
      + "existing file is replaced. With none, all are kept. With none-fail, all are kept, and "
      + "each causes an error. With older (if WHICH is omitted, as with -u), those that are older "
      + "than their sources are replaced. The last of -u and --update counts.",
    .context:
      "Set the default SELinux label on new files. --context=CTX is not supported and causes an "
      + "error. On a system without SELinux, -Z and --context are ignored, and --context=CTX is "
      + "ignored with a warning.",
    .progress:
      "Show progress on standard error. WHEN is one of the following words. With auto (the "
      + "default) a progress line appears on a terminal after half a second. It shows the files "
      + "and bytes done and found so far, the smoothed rate, the elapsed time, the estimated time "
      + "left, the number of errors and the file that is being copied. On a narrow terminal, some "
      + "of these are absent. A + after a total means that the total may grow, because the sources "
      + "are still being counted, or one of them has no known length, such as a FIFO. While the "
      + "process is in the background of the terminal, the line is not drawn. With never there is "
      + "no progress line. With always (if WHEN is omitted) the line appears at once; if standard "
      + "error is not a terminal, a new line is printed each second. With json, a JSON object is "
      + "printed each second on a line of its own. Errors and warnings are lines of text between "
      + "these lines. Only the lines of objects begin with {.",
    .verify:
      "Read each copy back and compare checksums. Each file that does not share all blocks with "
      + "its source is flushed to disk and read back with direct I/O. Its 128-bit checksum (XXH3, "
      + "the only SUM is xxh128) is compared with that of the bytes read from the source. A file "
      + "that shares all blocks with its source is verified by comparing the block addresses. "
      + "Where the page cache cannot be bypassed, as on tmpfs, the copy is read from the page "
      + "cache. This is not an error; --stats and --json report such copies as cached. A file that "
      + "-u, -n or --update keeps is not read, but one that --resume keeps is. If the copy "
      + "differs, an error is reported. A new file is then removed. A file that was overwritten in "
      + "place stays, with the wrong contents. Its modification time becomes 0 (1970), so that a "
      + "further copy with -u replaces it. With --atomic, an existing file is replaced only after "
      + "the verification.",
    .direct:
      "Bypass the page cache for the source and the copy (O_DIRECT). WHEN is one of the following "
      + "words. With never (the default) direct I/O is not used. With auto, it is used for files "
      + "of at least 64 MiB that are not in the page cache. With always (if WHEN is omitted), it "
      + "is used for all files larger than 64 KiB. Files with holes, and files on file systems "
      + "without O_DIRECT and on FUSE, are always copied through the page cache.",
    .dropCache:
      "Drop the copied data from the page cache, but no source that was cached before its copy "
      + "began. The data is flushed to disk and dropped during the copy.",
    .tolerateChanges:
      "Warn instead of failing if a source changes while it is copied. The message is the same, "
      + "but the exit status does not become 1 because of it. A copy that ends up longer than its "
      + "source is still an error. If a file grows, only the bytes that it had when it was opened "
      + "are copied.",
    .delete:
      "In each directory that is copied into an existing one, remove the entries that SOURCE "
      + "lacks, with all that is in them. This happens after the copies in that directory, also if "
      + "some of them failed. If not all names in the directory and its source can be read, that "
      + "is an error. Nothing is then removed from the directory, and a warning follows the error, "
      + "unless --quiet is given. Names are compared byte for byte. If a name has become another "
      + "kind of file, the old entry is removed before the copy, a directory with all that is in "
      + "it. If any of that stays, it is an error, and the new file is not copied. This does not "
      + "concern the names of the operands themselves. Names that "
      + "--exclude or --gitignore excludes stay, and with --git-ignored-only all names that git "
      + "does not ignore. If one of them is in a directory that SOURCE lacks, that directory stays "
      + "too, and everything else in it is removed. Hidden files of copies that may be running "
      + "stay, and so do all entries below a mount point, also if it is a bind mount. A mount "
      + "point inside of DEST is an error, also if SOURCE has a directory at the same place: files "
      + "are copied into it, but nothing in it is removed. A mount point whose name is excluded is "
      + "no error. With -v each removed entry is printed, and with --dry-run each entry that would "
      + "be removed. As with cp, a link or a file with several names that is replaced is printed "
      + "as removed as well, before the line of its copy; --json tells the two apart. The copy is "
      + "refused before anything is changed if SOURCE is empty (see --delete-from-empty-source), "
      + "if a source is inside one of the destinations, if a destination is inside its source, if "
      + "two source directories have one destination, or if the DEST of -T is not a directory. "
      + "Needs -r or -a, and cannot be combined with --backup, --files-from, "
      + "--keep-directory-symlink and --shard. Questions of -i do not concern removals.",
  ]
}
