extension CopyError {
  /// Returns one line in the wording of cp, without the program's name.
  ///
  /// Names are quoted for a shell, and control characters are escaped.
  public func text(quoting: ShellQuoting = .utf8) -> String {
    var line = ""
    var pieces = problem.template.split(separator: "%", omittingEmptySubsequences: false)[...]
    line += pieces.removeFirst()
    for piece in pieces {
      let named = piece.first == "2" ? otherPath ?? path : path
      line += piece.first == "3" ? quoting.quoteIfNeeded(named) : quoting.quote(named)
      line += piece.dropFirst()
    }
    if let error { line += ": \(error)" }
    return line
  }
}

extension CopyError: CustomStringConvertible {
  /// The line of ``text(quoting:)``.
  public var description: String { text() }
}

extension CopyProblem {
  /// The text, in which `%1` stands for the path and `%2` for the other path.
  fileprivate var template: String {
    switch self {
    case .status: "cannot stat %1"
    case .readDirectory: "cannot access %1"
    case .open: "cannot open %1 for reading"
    case .tooManyOpenFiles(let limit): "cannot open %1 within the limit of \(limit) open files"
    case .createFile: "cannot create regular file %1"
    case .rename: "cannot rename a temporary file to %1"
    case .createDirectory: "cannot create directory %1"
    case .createParent: "cannot make directory %1"
    case .createSymbolicLink: "cannot create symbolic link %1"
    case .createHardLink: "cannot create hard link %1 to %2"
    case .createFIFO: "cannot create fifo %1"
    case .createSpecialFile: "cannot create special file %1"
    case .readSymbolicLink: "cannot read symbolic link %1"
    case .read: "error reading %1"
    case .write: "error writing %1"
    case .clone: "failed to clone %1 from %2"
    case .copyBytes: "error copying %1 to %2"
    case .setSize: "failed to extend %1"
    case .synchronize: "error syncing %1"
    case .close: "failed to close %1"
    case .remove: "cannot remove %1"
    case .backUp: "cannot backup %1"
    case .linkToSource: "cannot create symbolic link %1 to %2"
    case .setOwnership: "failed to preserve ownership for %1"
    case .setPermissions: "preserving permissions for %1"
    case .setTimes: "preserving times for %1"
    case .listAttributes: "listing attributes of %1"
    case .readAttribute: "getting attribute %2 of %1"
    case .setAttribute: "setting attribute %2 for %1"
    case .setAttributes: "setting attributes for %1"
    case .readPermissions: "failed to get permissions of %1"
    case .manifest: "cannot write manifest %1"
    case .earlierCopy: "cannot open earlier copy %1"
    case .partReport: "cannot update report %1"
    case .target: "target %1"
    case .targetDirectory: "target directory %1"
    default: findingTemplate
    }
  }

  /// The text of problems that are not errors of the kernel.
  private var findingTemplate: String {
    switch self {
    case .sameFile: "%1 and %2 are the same file"
    case .omittedDirectory: "-r not specified; omitting directory %1"
    case .intoItself: "cannot copy a directory, %1, into itself, %2"
    case .cycle: "cannot copy cyclic symbolic link %1"
    case .linkToDirectory: "will not create hard link %1 to directory %2"
    case .existingNonDirectory: "cannot overwrite non-directory %1 with directory %2"
    case .parentStatus: "failed to get attributes of %1"
    case .noParentDirectory: "%1 exists but is not a directory"
    case .parentsNeedDirectory: "with --parents, the destination must be a directory"
    case .notReplacing: "not replacing %1"
    case .backupIsSource: "backing up %1 might destroy source;  %2 not copied"
    case .relativeLink: "%3: can make relative symbolic links only in current directory"
    case .existingDirectory: "cannot overwrite directory %1 with non-directory %2"
    case .justCreated: "will not overwrite just-created %1 with %2"
    case .throughJustCreatedLink: "will not copy %1 through just-created symlink %2"
    case .danglingLink: "not writing through dangling symlink %1"
    case .existingLink: "not writing through symlink %1"
    case .replaced: "skipping file %1, as it was replaced while being copied"
    case .changed: "file %1 was changed while being copied"
    case .tooLong: "more bytes were read from %1 than it has"
    case .verification: "verification failed: %1 differs from %2"
    case .littleSpace(let needed, let free):
      "warning: copying to %1 needs \(needed) bytes, but only \(free) are free"
    case .stopped: "copy of %1 was stopped"
    case .unknownKind: "%1 has unknown file type"
    case .repeatedFile: "warning: source file %1 specified more than once"
    case .repeatedDirectory: "warning: source directory %1 specified more than once"
    case .tooManyLinks: "warning: too many hard links to track; copying %1 separately"
    default: removalTemplate
    }
  }

  /// The text of problems with the removal of entries that the source lacks.
  private var removalTemplate: String {
    switch self {
    case .deletionNeedsDirectory: "with --delete, the destination %1 must be a directory"
    case .sourceInDestination: "with --delete, source %1 must not be inside destination %2"
    case .emptySource: "source %1 is empty; to empty its copy, add --delete-from-empty-source"
    case .mergedSources: "with --delete, only one source can be copied to %1"
    case .mixedNames: "removing nothing from %1, where several names of its source are one name"
    case .nothingRemoved:
      "warning: removing nothing from %1, because not all names in it and its source were read"
    case .removeInMount: "cannot remove entries from %1"
    case .removeInUnknownMount: "cannot remove entries from %1, whose mount is unknown"
    case .keptEntry: "cannot replace %1 with %2, because --delete keeps it or names in it"
    case .removalLimit(let limit, let count, let before):
      "removing nothing more, because the entries in %1 exceed the limit of \(limit) "
        + "(entries to remove: \(count), removed before: \(before))"
    default: shardTemplate
    }
  }

  /// The text of problems with the parts of a copy, and with several destinations.
  private var shardTemplate: String {
    switch self {
    case .repeatedDestination: "destinations %1 and %2 are the same"
    case .nestedDestination: "destination %1 must not be inside destination %2"
    case .destinationInSource: "destination %1 must not be inside source %2"
    case .noParts: "no part of the copy has reported in %1"
    case .mixedParts(let one, let other):
      "parts of \(one) and of \(other) parts have reported in %1"
    case .missingPart(let index, let count): "part \(index)/\(count) has not reported in %1"
    case .missingCopy: "copy %1 of %2 is missing"
    case .differentCopy: "copy %1 has another type or length than %2"
    default: "%1"
    }
  }
}
