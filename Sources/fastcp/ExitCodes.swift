import FileCopy

/// The exit statuses of the command, which `--exit-codes` chooses.
enum ExitCodes: Hashable, Sendable {
  /// 0 and 1, as with cp.
  case standard
  /// 42 for an error that a further attempt would repeat, so that a scheduler does not retry it.
  case scheduler

  /// The status of an error that a further attempt would repeat.
  static let permanentStatus: Int32 = 42

  /// Returns the statuses that a word requests.
  static func requested(by word: BytePath?) throws(UsageError) -> ExitCodes {
    try WordList<ExitCodes>(
      context: "--exit-codes",
      words: [(.standard, ["standard"]), (.scheduler, ["scheduler"])]
    ).meaning(of: word ?? "")
  }

  /// Creates the statuses of a command line, which need not be valid.
  init(_ arguments: ParsedArguments) {
    let option = arguments.options.last { $0.kind == .exitCodes }
    self = (try? ExitCodes.requested(by: option?.value ?? "standard")) ?? .standard
  }

  /// The status of a command line that is not valid.
  var statusOfUsageError: Int32 { self == .scheduler ? ExitCodes.permanentStatus : 1 }

  /// Returns the status of a copy.
  func status(of report: CopyReport) -> Int32 {
    if report.isComplete { return 0 }
    // The sum lists the first failures only, which may all be those of one destination.
    let lists = [report.failures] + report.destinations.map(\.report.failures)
    let isPermanent =
      !report.isStopped && report.declinedCount == 0
      && lists.joined().allSatisfy(\.isPermanent)
    return self == .scheduler && isPermanent ? ExitCodes.permanentStatus : 1
  }
}

extension CopyError {
  /// Whether a further attempt with the same files and options would fail in the same way.
  var isPermanent: Bool {
    switch reason {
    case .system(let error): ExitCodes.permanentErrors.contains(error)
    case .sameFile, .notRecursive, .intoItself, .cycle, .repeatedSource, .unknownFileType,
      .needsDirectory, .relativeLink, .existingFile, .existingDirectory, .existingNonDirectory,
      .existingLink, .justCreated, .backupIsSource, .sourceInDestination, .emptySource,
      .sharedDestination, .overlappingDestinations, .removalLimit:
      true
    case .changed, .verificationFailed, .littleSpace, .tooManyLinks, .incompleteListing,
      .missingParts, .missingCopy:
      false
    }
  }
}

extension ExitCodes {
  /// Errors that depend on rights, names and kinds of files, and not on the state of a device.
  ///
  /// A FIFO that several destinations would read cannot be read from a position (`ESPIPE`).
  fileprivate static let permanentErrors: Set<SystemError> = [
    .notPermitted, .permissionDenied, .readOnlyFileSystem, .fileNameTooLong, .fileTooLarge,
    .notDirectory, .isDirectory, .notSupported, .tooManySymbolicLinkLevels, .invalidArgument,
    .illegalSeek,
  ]
}
