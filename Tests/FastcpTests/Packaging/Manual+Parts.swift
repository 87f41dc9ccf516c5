@testable import fastcp

/// Options about manifests and about copies in parts.
extension Manual {
  /// The sentences that follow the help text of an option.
  static let detailsOfParts: [OptionKind: String] = [
    .manifest:
      "FILE lists each copied regular file under all its names, in the format of sha256sum, "
      + "b2sum and xxhsum. The names are relative to the directory that the sources are copied "
      + "into. If DEST is the name of the copy of a directory, they are relative to DEST. The "
      + "checksums are taken while the files are copied. A clone, and an existing file that is "
      + "kept, is read for its checksum, and no file is copied with O_DIRECT. A newline, "
      + "carriage return or backslash in a name is escaped as by sha256sum. FILE is replaced at "
      + "the end. An interrupted copy leaves it as it was, and a file that fails is not listed. "
      + "With --shard=I/N the list is written to FILE.I-of-N. "
      + "Cannot be combined with --attributes-only, --dry-run, --link and --symbolic-link.",
    .checksum:
      "Read the list with xxhsum -c for xxh128, with sha256sum -c for sha256 and with b2sum -c "
      + "for blake2b. Of these, xxh128 (XXH3) finds errors but no forgeries.",
    .check:
      "Prints a line for each file that is missing, changed or extra, and one on standard error "
      + "for each file that cannot be read. The exit status is 0 if there is none. Several files "
      + "are read at once (see --jobs), and bypass the page cache where the file system supports "
      + "it. Symbolic links are not followed, and a name in FILE that leads out of DIRECTORY is "
      + "an error. So is a line that is not valid, or a last line that is incomplete; no file is "
      + "read then. FILE may be a list that sha256sum, b2sum or xxhsum has printed. Only regular "
      + "files are compared. With --stats a summary is printed. No other options are accepted "
      + "but --jobs and --exit-codes.",
    .reflinkDest:
      "A file is unchanged if the file at the same place below the earlier copy has its length "
      + "and its modification time. It gets the attributes of SOURCE. Where blocks cannot be "
      + "shared, SOURCE is copied. The places are relative to the directory that sources are "
      + "copied into, or to DEST if that is the name of the copy. The directory itself is "
      + "relative to the working directory. Cannot be combined with --attributes-only, --link, "
      + "--symbolic-link and --reflink=never.",
    .linkDest:
      "A file is unchanged if the file at the same place below the earlier copy has its length "
      + "and its modification time. It becomes a link if all attributes that are preserved are "
      + "the same. Otherwise SOURCE is copied. With --atomic, which is implied, no later copy "
      + "changes a file that an earlier copy shares. See also --reflink-dest.",
    .shard:
      "Several processes, also on machines that share the file systems, copy one tree, each one "
      + "a part. All must have the same other options and operands. A file with one name belongs "
      + "to the part that a hash of its path below DEST chooses, and one with several names to "
      + "the part that its inode number chooses, so that hard links are preserved. Each part "
      + "reads all directories and creates those that are missing, and only finish sets their "
      + "attributes. A part may run again. A complete part leaves a report in DEST. With finish, "
      + "all parts must have reported, with the same N. Each source must then have a copy of its "
      + "type and length, and the reports are removed. With auto, the first pair of variables "
      + "that is set counts: FASTCP_SHARD and FASTCP_SHARDS, OMPI_COMM_WORLD_RANK and "
      + "OMPI_COMM_WORLD_SIZE, PMIX_RANK and PMIX_SIZE, PMI_RANK and PMI_SIZE, SLURM_PROCID and "
      + "SLURM_NTASKS, SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT (without gaps), "
      + "JOB_COMPLETION_INDEX and FASTCP_SHARDS, or FLUX_TASK_RANK and FLUX_JOB_SIZE. "
      + "SLURM_NTASKS=1 in a job of an array does not count. Needs -T or -t, or several SOURCEs. "
      + "Cannot be combined with --delete, --backup and -i.",
    .exitCodes:
      "With scheduler, 42 states that each error is one that the same command would meet again, "
      + "such as an invalid option or a missing right. For all other errors, such as a failing "
      + "device, the exit status is 1. So a scheduler can be configured not to retry after 42.",
  ]
}
