/// The sections after the options.
extension Manual {
  static let closing = """
    .SH EXIT STATUS
    .TP
    .B 0
    There was no error.
    Files that are kept because of \\-n, \\-u or \\-\\-update=none are no error.
    .TP
    .B 1
    A file or one of its attributes could not be copied or verified, an entry could
    not be removed, a question was answered with no, standard output could not be
    written, the command line is invalid, or
    .B \\-\\-check
    found a difference.
    .TP
    .B 42
    With
    .BR \\-\\-exit\\-codes=scheduler ,
    the same command would meet each of the errors again.
    .PP
    The message
    .RB \\[oq] "file NAME was changed while being copied" \\[cq]
    means that the size or modification time of a source changed while it was
    copied, so that the copy may mix old and new contents.
    The copy stays, and the exit status is 1.
    A further copy with
    .B \\-u
    replaces it only if timestamps are preserved, as with
    .BR \\-a ;
    otherwise copy it again without
    .BR \\-u .
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
    After the first SIGINT, SIGTERM or SIGHUP, the copies that are running are
    stopped, incomplete new files are removed, a summary is printed, and the
    process ends with that signal.
    The summary is printed on standard error, unless
    .B \\-\\-stats
    prints it on standard output, and not with
    .BR \\-\\-quiet .
    A second signal ends the process at once.
    What becomes of an existing file is described under INCOMPLETE COPIES.
    With
    .BR \\-\\-resume ,
    the hidden files of incomplete large copies stay for the next run.
    After SIGUSR1, a line about the progress is printed on standard error.
    .PP
    If the reader of the output is gone, as after
    .BR head (1)
    has ended, the copy stops in the same way without a summary, and the process
    ends with SIGPIPE.
    If SIGPIPE was ignored when the process began, the copy continues, and the
    exit status is 1.
    .SH INCOMPLETE COPIES
    If the copy of a file fails, as on a full disk, or is interrupted, a new file is
    removed.
    What becomes of an existing file depends on the options.
    .PP
    A file that was being overwritten in place has a mixture of new and old
    contents, and a new modification time.
    So
    .B \\-u
    keeps it; copy it again without
    .BR \\-u .
    If the mode is preserved, only its owner can read it until then.
    .PP
    A file is removed before it is copied with
    .BR \\-\\-remove\\-destination ,
    with
    .B \\-f
    if it cannot be opened, and with
    .BR \\-a ,
    .B \\-d
    or
    .B \\-\\-preserve=links
    if it has several names (hard links).
    Afterwards there is no file of this name.
    .PP
    With
    .BR \\-\\-atomic ,
    which
    .BR \\-\\-resume ,
    .B \\-\\-durable
    and
    .B \\-\\-link\\-dest
    imply, the old file stays in each of these cases.
    .PP
    With
    .BR \\-b ,
    the backup gets its former name back.
    Only if the process is killed, it keeps the name of the backup.
    .SH DIFFERENCES FROM CP
    Several files are copied at once, so the lines of \\-v and the messages are in
    no fixed order.
    Messages are in English.
    .PP
    A terminal shows a progress line after half a second, and a signal that stops
    the copy prints a summary.
    .PP
    It is an error if a source changes while it is copied (see above).
    .PP
    A new file whose copy fails is removed.
    An existing file is not truncated before it is overwritten (see INCOMPLETE
    COPIES).
    .PP
    If a file inside of a copied directory has the name of an existing symbolic
    link in DEST, cp writes to the file that the link points to.
    That is an error here, and nothing is written.
    \\-\\-atomic and \\-\\-remove\\-destination replace the link, and \\-b renames it.
    .PP
    \\-\\-context=CTX is not supported.
    .SH ENVIRONMENT
    .TP
    .BR VERSION_CONTROL ", " SIMPLE_BACKUP_SUFFIX
    The kind and suffix of backups, as for cp.
    .TP
    .B POSIXLY_CORRECT
    If set, options end at the first operand.
    A copy to a dangling symbolic link then creates the file that the link names.
    .TP
    .BR COLUMNS ", " TERM
    The width of the progress line, and whether the terminal can redraw it.
    The line has no colors, so
    .B NO_COLOR
    has no effect.
    .TP
    .B IOCHANNELS_BACKEND
    How files larger than 64 KiB are copied from one file system to another:
    .B uring
    (io_uring),
    .B threads
    (plain system calls on threads) or
    .B auto
    (io_uring if it works, otherwise threads; the default).
    Any other value is an error.
    .TP
    .BR IOCHANNELS_MEMORY ", " IOCHANNELS_THREADS ", " IOCHANNELS_WAITING_THREADS
    Limits, which Documentation/Reference/ENVIRONMENT.md in the source code lists.
    .TP
    .BR LC_ALL ", " LC_CTYPE ", " LANG
    Whether names in messages are quoted with UTF\\-8 or ASCII characters.
    .TP
    .BR FASTCP_SHARD ", " FASTCP_SHARDS
    The part of the copy for
    .B \\-\\-shard=auto
    and the number of parts.
    The variables of launchers are listed with that option.
    .SH FILES
    .TP
    .I .fastcp\\-*
    A temporary file, unless the name begins with .fastcp\\-part\\-.
    A killed copy may leave it behind, and so may an interrupted one with
    .BR \\-\\-resume .
    A later copy on the same machine that creates such a file in the same
    directory removes those of processes that have ended.
    With
    .BR \\-\\-resume ,
    it first continues those that belong to one of its sources.
    Files of other machines and containers stay, and in a container those from
    before its restart.
    You may delete these when no machine runs a copy into the directory.
    .TP
    .I .fastcp\\-part\\-I\\-of\\-N
    The report of the part I/N of a copy.
    Keep it until
    .B \\-\\-shard=finish
    has removed it.
    A copy with
    .B \\-\\-delete
    removes it, and
    .B \\-\\-check
    reports it as extra.
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
    .TP
    .B fastcp \\-auT \\-\\-delete \\-\\-dry\\-run src mirror
    List what the same command without \\-\\-dry\\-run would copy and remove.
    Unlike with rsync, a slash after src would not select its contents; \\-T does.
    .TP
    .B fastcp \\-aT \\-\\-manifest=sums src dst && fastcp \\-\\-check=sums dst
    List the checksums of the copies, and compare the copies with the list later.
    Other files in dst are reported as extra.
    .SH NOTES
    The copies of operands are started in the given order, and several may run
    at once.
    Without \\-i, files within one operand are copied in no particular order.
    .SH SEE ALSO
    .BR cp (1),
    .BR rsync (1),
    .BR io_uring (7)

    """
}
