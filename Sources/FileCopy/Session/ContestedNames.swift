import SystemCalls

/// Names that another process creates, replaces or removes while a copy creates them.
///
/// A name is looked at again then, as if it had been so from the beginning. After two copies of one
/// tree into one place, each name has a file of one of them, and the two names of a file with hard
/// links are names of one file.
enum ContestedNames {
  /// How often a name is looked at again.
  static let attempts = 16
  /// How often a name is linked again, with longer and longer pauses, in all a fifth of a second.
  static let linkAttempts = 64

  /// Whether a directory that this copy created has an entry that the copy did not create.
  ///
  /// The names of a source differ. An entry with exactly this name belongs to another process; an
  /// entry that only matches it, because case does not count, belongs to this copy.
  static func isForeign(_ name: FilePath, in directory: BorrowedDescriptor) -> Bool {
    guard let listing = try? directory.open(".", [.readOnly, .directory]) else { return false }
    var reader = DirectoryReader()
    while true {
      var entries: [DirectoryEntry] = []
      let next = (try? reader.read(listing.borrowed, into: &entries)) ?? nil
      if entries.contains(where: { $0.name == name }) { return true }
      if next == nil { return false }
    }
  }
}

extension CopySession {
  /// Copies a regular file once more where another process changed the destination's name in the
  /// middle of the copy, which ended with `failure`.
  ///
  /// - Throws: A failure that has another cause.
  func copyAgain(
    _ job: FileJob,
    _ source: FileStatus,
    in pair: DirectoryPair,
    after failure: CopyError,
    _ copy: (FileJob) throws(CopyError) -> Void
  ) throws(CopyError) {
    var (job, failure) = (job, failure)
    for _ in 1...ContestedNames.attempts {
      guard source.kind == .regular, isContested(job, failure),
        mayTake(job, links: source.links, in: pair)
      else { throw failure }
      job.isContested = true
      do throws(CopyError) {
        return try copy(job)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Whether a failure shows that the destination's name changed meanwhile.
  private func isContested(_ job: FileJob, _ failure: CopyError) -> Bool {
    // A file that appears where one of an age or none at all was expected stays.
    guard failure.problem == .createFile, failure.path == job.destinationPath,
      options.overwriting == .always, !options.updatesOnly, options.backup == nil
    else { return false }
    switch failure.error {
    case .fileExists, .noSuchFileOrDirectory, .staleFileHandle: return true
    default: return false
    }
  }

  /// Whether the file that has a destination's name may be overwritten or replaced, although none
  /// was expected.
  ///
  /// In a directory that this copy created, such a file stays and is a failure, as with cp. Only a
  /// directory is used, and the names of a file that has several are taken, since they have to stay
  /// together.
  func mayTake(_ job: FileJob, links: UInt64, in pair: DirectoryPair) -> Bool {
    if !job.isFree { return true }
    return links > 1 && ContestedNames.isForeign(job.destinationName, in: pair.destination)
  }
}
