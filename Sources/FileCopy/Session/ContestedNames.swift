import Glibc
internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// Names that another process creates, replaces or removes while a copy creates them.
///
/// A name is looked at again then, as if it had been so from the beginning. After two copies of one
/// tree into one place, each name has a file of one of them, and the names of a file with hard
/// links are names of one file.
enum ContestedNames {
  /// The number of times that a name is looked at again.
  static let attempts = 16
  /// How often the names of a file are linked again, with longer and longer pauses, in all a fifth
  /// of a second.
  static let linkAttempts = 64

  /// Whether a directory that this copy created has an entry that the copy did not create.
  ///
  /// The names of a source differ. An entry with exactly this name belongs to another process; an
  /// entry that only matches it, because case does not count, belongs to this copy.
  static func isForeign(_ name: BytePath, in directory: BorrowedDescriptor) -> Bool {
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
  /// What was reported from the failure with the number `failures` on is not reported again.
  ///
  /// - Throws: A failure that has another cause.
  func copyAgain(
    _ job: FileJob,
    _ source: FileStatus,
    in pair: DirectoryPair,
    after failure: CopyError,
    _ worker: CopyWorker,
    since failures: Int,
    _ copy: (FileJob) throws(CopyError) -> Void
  ) throws(CopyError) {
    var (job, failure) = (job, failure)
    for _ in 1...ContestedNames.attempts {
      guard source.kind == .regular, isContested(job, failure),
        mayTake(job, links: source.links, in: pair)
      else { throw failure }
      job.isContested = true
      worker.beginAgain(since: failures)
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

extension CopySession {
  /// Remembers a name that was linked to `first`, and unites the names of the file after the last
  /// one, where this copy replaced a file under one of them.
  ///
  /// The names are one file after the last change that any copy makes, because the copy that has
  /// replaced a name compares all of them later:
  ///
  /// - A change that replaces a file comes before the comparison of its copy, which lasts until it
  ///   has changed nothing. So the last change of all is no replacement, or is seen by that copy.
  /// - A change that only creates a name is met by the other copy, which comes to each name too.
  ///   Where that finds its own file, and neither copy has replaced any, all names have one file.
  ///   Where it finds another file, it replaces it, which is a later change.
  /// - Where one copy has replaced a name before, it compares all names after it came to the
  ///   created one, and so after the creation. A copy that finished first need not look again.
  func addLink(
    _ job: FileJob,
    to first: FileJob,
    isContested: Bool,
    _ worker: CopyWorker
  ) {
    // The two names of a pair need no memory.
    if !isContested && job.linkedFile?.names == 2 { return }
    let group = linkGroups.withLock { $0.add(job, to: first, isContested: isContested) }
    if let group { uniteLinks(group, worker) }
  }

  /// Unites the names of files that have further names outside of what was copied.
  func uniteAllLinks(_ worker: CopyWorker) {
    for group in linkGroups.withLock({ $0.removeAll() }) where !isStopped(worker) {
      uniteLinks(group, worker)
    }
  }

  /// Links names to one file until they are found together, or reports them.
  func uniteLinks(_ group: LinkGroups.Group, _ worker: CopyWorker) {
    var failure = SystemError.fileExists
    for attempt in 1...ContestedNames.linkAttempts {
      do throws(SystemError) {
        if try !uniteOnce(group) { return }
        failure = .fileExists
      } catch {
        failure = error
        // One of the names was removed meanwhile.
        if error != .noSuchFileOrDirectory { break }
      }
      // Two copies that link the names in step would never end.
      _ = usleep(.random(in: 0...UInt32(attempt) * 100))
    }
    guard let first = group.names.first, let last = group.names.last else { return }
    let path = last.directory.destinationPath(last.name)
    let other = first.directory.destinationPath(first.name)
    fail(CopyError(.createHardLink, path, other: other, failure), worker)
  }

  /// Looks at each name once, and links those that are apart to the file with the smallest number,
  /// which every copy chooses.
  ///
  /// A name that is missing is left to the process that removed it.
  ///
  /// - Returns: Whether a name was changed.
  private func uniteOnce(_ group: LinkGroups.Group) throws(SystemError) -> Bool {
    var found: [(name: LinkGroups.Name, file: FileIdentity)] = []
    for name in group.names {
      let pair = try held.acquire(name.directory)
      defer { held.release(name.directory) }
      do throws(SystemError) {
        let status = try pair.destination.status(of: name.name)
        if status.kind == .directory { throw .isDirectory }
        found.append((name, status.identity))
      } catch .noSuchFileOrDirectory {
        // It is created again, and linked, by another process.
      }
    }
    let least = found.min { $0.file.inode < $1.file.inode }
    guard let kept = group.keepsFirst ? found.first : least else { return false }
    var isChanged = false
    for (name, file) in found where file != kept.file {
      isChanged = true
      try relink(name, to: kept.name)
    }
    return isChanged
  }

  private func relink(_ name: LinkGroups.Name, to kept: LinkGroups.Name) throws(SystemError) {
    let place = try held.acquire(kept.directory)
    defer { held.release(kept.directory) }
    let pair = try held.acquire(name.directory)
    defer { held.release(name.directory) }
    var job = FileJob(
      directory: name.directory,
      sourceName: name.name,
      destinationName: name.name
    )
    job.isContested = true
    try replace(job, in: pair) { hidden throws(SystemError) in
      try pair.destination.link(kept.name, in: place.destination, as: hidden)
    }
    // The directory may be complete, with the times of its source.
    let directory = name.directory
    if directory.parent != nil, directory.isDescribed, options.preserved.contains(.timestamps) {
      let (accessed, modified) = (directory.source.accessed, directory.source.modified)
      try pair.destination.setTimesOfHandle(accessed: accessed, modified: modified)
    }
  }
}
