@testable import fastcp

/// Options about manifests, earlier copies and copies in parts.
extension Manual {
  /// The sentences that follow the help text of an option.
  static let detailsOfParts: [OptionKind: String] = [
    .alsoTo:
      "This option may be given several times. All destinations are written at the same time, each "
      + "at its own pace. The bytes that one of them reads are used for all. A destination that is "
      + "more than 64 MiB or 4096 small files behind another one reads SOURCE again, mostly from "
      + "the page cache. With --sparse=always each destination reads SOURCE. If one destination "
      + "fails, the others are completed, unless --fail-fast is given. A line on standard error "
      + "then names each destination that is incomplete, and the exit status is not 0. An error of "
      + "SOURCE is printed once. The progress line, and the first summary of --stats, show the "
      + "sums of all destinations. --jobs, --bwlimit and --max-delete limit each destination. "
      + "--manifest lists the files of DEST. Whether SOURCE is copied into DIRECTORY, or becomes "
      + "DIRECTORY, is decided for each destination by the rules for DEST; with -T or -t it is the "
      + "same for all. The copy is refused before anything is changed if two destinations are the "
      + "same, or if one is inside another one or inside SOURCE. A FIFO or character device whose "
      + "contents are copied is an error. Cannot be combined with --direct, --interactive, "
      + "--link-dest and --reflink-dest.",
    .manifest:
      "FILE lists each copied regular file under all its names, in the format of sha256sum, b2sum "
      + "and xxhsum. If SOURCE is a directory, and -T is given or DEST does not exist, the names "
      + "are relative to DEST. Otherwise they are relative to the directory that contains the "
      + "copies of the SOURCEs, and begin with the name of such a copy. The checksums are taken "
      + "while the files are copied. Of a clone, and of an existing file that is kept, the copy is "
      + "read. No file is copied with O_DIRECT, and --direct has no effect. A newline, carriage "
      + "return or backslash in a name is escaped as by sha256sum. FILE is replaced at the end; a "
      + "FILE named - is not standard output. An interrupted copy leaves it as it was, and a file "
      + "that fails is not listed. With --shard=I/N the list is written to FILE.I-of-N; the lists "
      + "of all parts, one after the other, are the list of the copy. Cannot be combined with "
      + "--attributes-only, --dry-run, --link and --symbolic-link.",
    .checksum:
      "Compare the list with --check, or with xxhsum -c for xxh128, sha256sum -c for sha256 and "
      + "b2sum -c for blake2b. Names with escaped bytes need xxhsum 0.8.2 or later. Of the "
      + "checksums, xxh128 (XXH3) finds errors but no forgeries.",
    .check:
      "The names in FILE are relative to DIRECTORY. A line on standard output, such as missing: "
      + "'NAME', names each file that is missing, changed or extra (in DIRECTORY and not in FILE; "
      + "FILE itself does not count), in no fixed order. A file that cannot be read is reported on "
      + "standard error. The exit status is 0 if there is none of these. Otherwise it is 1, also "
      + "if FILE cannot be read. A FILE named - is not standard input. Several files are read at "
      + "once (see --jobs), and bypass the page cache where the file system supports it. Symbolic "
      + "links are not followed, and a name in FILE that leads out of DIRECTORY is an error. So is "
      + "a line that is not valid or has more than 1 MiB, a FILE of more than 4 GiB, or a last "
      + "line that is incomplete; no file is read then. FILE "
      + "may be a list that sha256sum, b2sum or xxhsum -H2 has printed. The number of digits of a "
      + "checksum shows its kind: 32 for xxh128, 64 for sha256 and 128 for blake2b. Only regular "
      + "files are compared. No other options are accepted but --jobs, --stats (prints a summary), "
      + "--json (prints a JSON object for each difference, and a summary object) and --exit-codes.",
    .reflinkDest:
      "A file of SOURCE is unchanged if the earlier copy has a file of its length and modification "
      + "time at the same place. The new file shares the blocks of that file and has the "
      + "attributes of SOURCE. Where blocks cannot be shared, SOURCE is copied. If DEST is the "
      + "name of the copy, as with -T, the place of DEST/a/b is DIRECTORY/a/b. If src is copied "
      + "into DEST, the place of DEST/src/a/b is DIRECTORY/src/a/b. DIRECTORY is relative to the "
      + "working directory, and not to DEST as with rsync. If it cannot be opened, that is an "
      + "error, and nothing is copied. Only one earlier copy can be given, unlike with rsync. "
      + "Cannot be combined with --link-dest, --attributes-only, --link, --symbolic-link, "
      + "--reflink=never and --no-preserve=timestamps.",
    .linkDest:
      "The unchanged files, and the meaning of DIRECTORY, are those of --reflink-dest, and so are "
      + "the options that this one cannot be combined with, but for --reflink=never. An unchanged "
      + "file becomes a link if the earlier file has the owner, mode, access control list and "
      + "extended attributes that the copy would get. Times of last access are not compared. "
      + "Otherwise SOURCE is copied. This copy changes no file that an earlier one shares, because "
      + "it implies --atomic. But a program that writes to such a file later changes it in both "
      + "copies. So does a later fastcp with --attributes-only, and one without --link-dest, "
      + "--atomic and -a.",
    .shard:
      "To copy one tree with N processes, also on machines that share the file systems, start one "
      + "process for each part. When all have ended with exit status 0, run the command with "
      + "finish. A part in which a file fails is not complete and must run again; with --resume it "
      + "keeps the complete files. All of these commands have the same operands and options. Only "
      + "options that select neither files nor attributes may differ, such as --jobs. So --resume "
      + "may differ only where timestamps are preserved anyway, as with -a. The options --manifest "
      + "and --dry-run are refused with finish. A file with one name belongs to the part that a "
      + "hash of its path below DEST chooses, and one with several names to the part that its "
      + "inode number chooses, so that hard links are preserved. Each part reads all directories "
      + "and creates those that are missing. A complete part leaves a report in DEST. If one is "
      + "missing, finish names the part and changes nothing. Otherwise it checks that each source "
      + "has a copy of its type and length, sets the attributes of all directories and removes the "
      + "reports. With auto, the first pair of variables counts of which both are set: "
      + "FASTCP_SHARD and FASTCP_SHARDS, OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE, PMIX_RANK "
      + "and PMIX_SIZE, PMI_RANK and PMI_SIZE, SLURM_PROCID and SLURM_NTASKS, SLURM_ARRAY_TASK_ID "
      + "and SLURM_ARRAY_TASK_COUNT (without gaps), JOB_COMPLETION_INDEX and FASTCP_SHARDS, or "
      + "FLUX_TASK_RANK and FLUX_JOB_SIZE. It is an error if there is no such pair, or if "
      + "FASTCP_SHARD is set without FASTCP_SHARDS. SLURM_NTASKS=1 in a job of an array does not "
      + "count. A single SOURCE needs -T or -t. Cannot be combined with --delete, --backup and -i.",
    .exitCodes:
      "With scheduler, the exit status is 42 if the command line is invalid, or if each error is "
      + "one that the same command would meet again, such as a missing permission. It is 1 if any "
      + "error is of another kind, such as a missing file, a full disk, a failing device or an "
      + "answer of no, and also after a copy that --fail-fast stopped. So a scheduler can be "
      + "configured not to retry after 42.",
  ]
}
