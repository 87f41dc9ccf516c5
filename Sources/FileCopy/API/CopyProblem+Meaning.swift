extension CopyProblem {
  /// The meaning of a problem for a program.
  package struct Meaning: Equatable {
    package var operation: CopyError.Operation
    /// The reason, if it is not the error of a system call.
    package var finding: CopyError.Reason?
    package var severity: CopyError.Severity

    package init(
      _ operation: CopyError.Operation,
      _ finding: CopyError.Reason? = nil,
      _ severity: CopyError.Severity = .failure
    ) {
      self.operation = operation
      self.finding = finding
      self.severity = severity
    }
  }

  /// The operation, the finding and the usual severity of a problem.
  package var meaning: Meaning {
    switch self {
    case .status, .parentStatus: Meaning(.readStatus)
    case .readDirectory: Meaning(.readDirectory)
    case .open, .tooManyOpenFiles: Meaning(.open)
    case .read, .readSymbolicLink: Meaning(.read)
    case .write, .setSize, .close, .manifest, .partReport: Meaning(.write)
    case .clone, .copyBytes: Meaning(.transfer)
    case .createFile, .createDirectory, .createParent, .createFIFO: Meaning(.create)
    case .createSymbolicLink, .createSpecialFile: Meaning(.create)
    case .createHardLink, .linkToSource: Meaning(.link)
    case .rename: Meaning(.rename)
    case .remove, .removeInMount, .removeInUnknownMount: Meaning(.remove)
    case .backUp: Meaning(.backUp)
    case .listAttributes, .readAttribute, .readPermissions: Meaning(.readMetadata)
    case .setOwnership, .setPermissions, .setTimes: Meaning(.setMetadata)
    case .setAttribute, .setAttributes: Meaning(.setMetadata)
    case .synchronize: Meaning(.synchronize)
    case .target, .targetDirectory, .earlierCopy: Meaning(.prepare)
    // Findings of the copier.
    case .sameFile: Meaning(.prepare, .sameFile)
    case .omittedDirectory: Meaning(.prepare, .notRecursive)
    case .intoItself: Meaning(.prepare, .intoItself)
    case .cycle: Meaning(.prepare, .cycle)
    case .unknownKind: Meaning(.prepare, .unknownFileType)
    case .parentsNeedDirectory: Meaning(.prepare, .needsDirectory)
    case .notReplacing, .keptEntry: Meaning(.prepare, .existingFile)
    case .existingDirectory: Meaning(.prepare, .existingDirectory)
    case .existingNonDirectory, .noParentDirectory: Meaning(.prepare, .existingNonDirectory)
    case .danglingLink, .existingLink: Meaning(.prepare, .existingLink)
    case .justCreated, .throughJustCreatedLink: Meaning(.prepare, .justCreated)
    case .relativeLink: Meaning(.link, .relativeLink)
    case .linkToDirectory: Meaning(.link, .repeatedSource)
    case .backupIsSource: Meaning(.backUp, .backupIsSource)
    case .replaced: Meaning(.open, .changed)
    case .changed, .tooLong: Meaning(.read, .changed)
    case .verification: Meaning(.compare, .verificationFailed)
    // Never reported: the report of the copy has a property for it.
    case .stopped: Meaning(.transfer, .system(.canceled))
    case .deletionNeedsDirectory: Meaning(.prepare, .needsDirectory)
    case .sourceInDestination: Meaning(.prepare, .sourceInDestination)
    case .emptySource: Meaning(.prepare, .emptySource)
    case .mergedSources: Meaning(.prepare, .sharedDestination)
    case .mixedNames: Meaning(.remove, .sharedDestination)
    case .removalLimit(let limit, _, _): Meaning(.remove, .removalLimit(limit))
    case .repeatedDestination, .nestedDestination, .destinationInSource:
      Meaning(.prepare, .overlappingDestinations)
    case .noParts, .mixedParts, .missingPart: Meaning(.prepare, .missingParts)
    case .missingCopy, .differentCopy: Meaning(.compare, .missingCopy)
    // Warnings. The options turn some other problems into warnings.
    case .repeatedFile, .repeatedDirectory: Meaning(.prepare, .repeatedSource, .warning)
    case .littleSpace(let needed, let free):
      Meaning(.prepare, .littleSpace(needed: needed, free: free), .warning)
    case .tooManyLinks: Meaning(.link, .tooManyLinks, .warning)
    case .nothingRemoved: Meaning(.remove, .incompleteListing, .warning)
    }
  }
}
