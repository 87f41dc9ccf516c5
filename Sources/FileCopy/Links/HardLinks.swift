internal import IOChannelsLocks
import IOChannelsSystem

/// The hard links of a copy: names of one source file become and stay names of one file.
final class HardLinks: Sendable {
  private let options: CopyOptions
  private let held: HeldDirectories
  private let hidden: HiddenFiles
  private let table = BargingLock(HardLinkTable<FileJob>())
  private let groups = BargingLock(LinkGroups())

  init(_ options: CopyOptions, _ held: HeldDirectories, _ hidden: HiddenFiles) {
    self.options = options
    self.held = held
    self.hidden = hidden
  }

  /// Whether the copies of a file's names must be hard links of one file.
  func areKept(for status: FileStatus, _ item: CopyItem) -> Bool {
    // With links that are followed, a file has further names, of unknown number.
    options.metadata.preserved.contains(.links) && (status.links > 1 || followsLinks(item))
  }

  private func followsLinks(_ item: CopyItem) -> Bool {
    item.context.following(for: item.job) != .nothing
  }

  /// Registers a name of a file, and returns what to do with it.
  func claim(_ status: FileStatus, by item: inout CopyItem) -> HardLinkTable<FileJob>.Claim {
    let names = followsLinks(item) ? UInt64.max : status.links
    item.job.linkedFile = LinkedFile(identity: status.identity, names: names)
    return table.withLock { [job = item.job] table in
      table.claim(status.identity, links: names, by: job)
    }
  }

  /// Records that a file was copied under a name.
  ///
  /// - Returns: The names that waited for it.
  func copied(_ file: FileIdentity, as job: FileJob) -> [FileJob] {
    table.withLock { $0.copied(file, as: job) }
  }

  /// Records that a file could not be copied.
  ///
  /// - Returns: The name under which it is copied instead.
  func failed(_ file: FileIdentity) -> FileJob? {
    table.withLock { $0.failed(file) }
  }

  /// Makes names that are found more than once, through several operands, links too.
  func expectNamesAgain() {
    table.withLock { $0.mayFindNamesAgain = true }
  }

  /// Forgets all files, so that further names of them are copied again.
  func forgetAll() {
    table.withLock { $0.forgetAll() }
  }

  /// Links a name to the copy `first`, and replaces the existing file unless it is the same one.
  ///
  /// The directory of `first` stays open until `body` returns. `body` receives whether another file
  /// had the name, see ``add(_:to:isContested:)``.
  ///
  /// - Returns: The error of the link after which the file must be copied again: the copy accepts
  ///   no further link, or another user has replaced it. Nil if the name was linked.
  func link(
    _ item: CopyItem,
    to first: FileJob,
    then body: (_ isContested: Bool) -> Void = { _ in }
  ) throws(SystemError) -> SystemError? {
    let place: DirectoryPair
    do throws(SystemError) {
      place = try held.acquire(first.directory)
    } catch .noSuchFileOrDirectory {
      // A missing name would be copied without a word. The copy may exist where its directory
      // cannot be found.
      throw .staleFileHandle
    }
    defer { held.release(first.directory) }
    for _ in 1...ContestedNames.linkAttempts {
      do throws(SystemError) {
        body(try link(item, to: first, in: place.destination))
        return nil
      } catch {
        if error.isRefusal { return error }
        if error != .staleFileHandle { throw error }
        if !hasCopy(first, item, in: place.destination) { return error }
        // Another copy has linked the name to this one again. Or the server does not find the file.
      }
    }
    throw .staleFileHandle
  }

  /// Whether the copy `first` still has its name in a directory.
  private func hasCopy(_ first: FileJob, _ item: CopyItem, in place: BorrowedDescriptor) -> Bool {
    let isTarget = first.isTarget && item.job.followsSource
    let found = try? place.status(of: first.destinationName, following: isTarget)
    return found.map { first.linkedFile?.copy.isSame($0) ?? false } ?? false
  }

  private func link(
    _ item: CopyItem,
    to first: FileJob,
    in place: BorrowedDescriptor
  ) throws(SystemError) -> Bool {
    let directory = item.pair.destination
    let name = item.job.destinationName
    var copy = LinkGroups.Name(first)
    copy.isTarget = first.isTarget && item.job.followsSource
    let isCopy = { (found: FileStatus) in first.linkedFile?.copy.isSame(found) ?? false }
    var item = item
    // The existing file was removed or renamed before this copy began with the name.
    let isReplaced = item.job.existingWasRemoved || item.job.backup != nil
    for _ in 1...ContestedNames.linkAttempts {
      do throws(SystemError) {
        try link(copy, in: place, as: name, of: item, where: isCopy)
        return isReplaced
      } catch .fileExists {
        // It is examined below.
      }
      do throws(SystemError) {
        let found = try directory.status(of: name)
        if found.kind == .directory { throw .isDirectory }
        let linked = try place.status(of: copy.name, following: copy.isTarget)
        let isPrivate =
          !copy.isTarget
          && first.directory.control.current(of: place, item.context.releases).isPrivate
        if linked.identity == found.identity && (isPrivate || isCopy(found)) { return isReplaced }
        if !item.mayTake(links: .max) { throw .fileExists }
        item.job.isContested = true
        let isChanged = try hidden.replace(item) { hidden throws(SystemError) in
          try link(copy, in: place, as: hidden, of: item, where: isCopy)
        }
        if isChanged { item.announceRemoval() }
        return isReplaced || isChanged
      } catch .noSuchFileOrDirectory {
        // Another process removed one of the names.
      }
    }
    throw .fileExists
  }

  /// Links a name in the directory of an item to the file of another name, which must be the copy.
  ///
  /// Where other users may rename names in the directory of the copy, its file is opened, compared
  /// and linked itself.
  ///
  /// - Throws: `ESTALE` if another file has the name of the copy.
  private func link(
    _ copy: LinkGroups.Name,
    in place: BorrowedDescriptor,
    as name: BytePath,
    of item: CopyItem,
    where isCopy: (FileStatus) -> Bool
  ) throws(SystemError) {
    let (directory, releases) = (item.pair.destination, item.context.releases)
    // The target of a link may be in another directory.
    if !copy.isTarget, copy.directory.control.current(of: place, releases).isPrivate {
      try directory.link(copy.name, in: place, as: name, following: copy.isTarget)
      if copy.directory.control.current(of: place, releases).isPrivate { return }
      // The directory was completed meanwhile, and may belong to another user.
      if isCopy(try directory.status(of: name)) { return }
      try directory.remove(name)
      throw .staleFileHandle
    }
    let file = try place.open(copy.name, copy.isTarget ? [.path] : [.path, .noFollow])
    if !isCopy(try file.borrowed.status()) { throw .staleFileHandle }
    try directory.link(file.borrowed, as: name)
  }
}

/// Names that other copies into the same place may link to their own files.
extension HardLinks {
  /// Remembers a name that was linked to `first`, and unites the names of the file after the last
  /// one, if this copy replaced a file under one of them.
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
  func add(_ item: CopyItem, to first: FileJob, isContested: Bool) {
    // The two names of a pair need no memory.
    if !isContested && item.job.linkedFile?.names == 2 { return }
    let group = groups.withLock { $0.add(item.job, to: first, isContested: isContested) }
    if let group { unite(group, item.worker) }
  }

  /// Forgets the names of a file whose further names will be linked to another copy of it.
  func forget(_ file: FileIdentity, _ worker: CopyWorker) {
    if let group = groups.withLock({ $0.remove(file) }) { unite(group, worker) }
  }

  /// Unites the names of files that have further names outside of the sources.
  func uniteAll(_ worker: CopyWorker) {
    for group in groups.withLock({ $0.removeAll() }) where !worker.isStopped {
      unite(group, worker)
    }
  }

  /// Links names to one file until they are found to be one file, or reports a failure.
  private func unite(_ group: LinkGroups.Group, _ worker: CopyWorker) {
    var failure = SystemError.fileExists
    for attempt in 1...ContestedNames.linkAttempts {
      do throws(SystemError) {
        if try !uniteOnce(group, worker) { return }
        failure = .fileExists
      } catch {
        failure = error
        // Another process removed or replaced one of the names.
        if error != .noSuchFileOrDirectory && error != .staleFileHandle { break }
      }
      // Another copy may still be writing a file under one of the names.
      ContestedNames.pause(25 * attempt * attempt)
    }
    guard let first = group.names.first, let last = group.names.last else { return }
    let path = last.directory.destinationPath(last.name)
    let other = first.directory.destinationPath(first.name)
    worker.fail(CopyError(.createHardLink, path, other: other, failure))
  }

  /// Examines each name once, and links those that are apart to the file with the smallest inode
  /// number, which every copy chooses.
  ///
  /// A file with another owner or other rights than the copy is that of another user, to which no
  /// name is linked.
  ///
  /// A name that is missing is left to the process that removed it.
  ///
  /// - Returns: Whether a name was changed.
  private func uniteOnce(
    _ group: LinkGroups.Group,
    _ worker: CopyWorker
  ) throws(SystemError) -> Bool {
    var found: [(name: LinkGroups.Name, file: FileIdentity)] = []
    var copies: [(name: LinkGroups.Name, file: FileIdentity)] = []
    for name in group.names {
      let pair = try held.acquire(name.directory)
      defer { held.release(name.directory) }
      do throws(SystemError) {
        let status = try pair.destination.status(of: name.name, following: name.isTarget)
        if status.kind == .directory { throw .isDirectory }
        found.append((name, status.identity))
        if group.copy?.isAlike(status) ?? false { copies.append((name, status.identity)) }
      } catch .noSuchFileOrDirectory {
        // Another process creates and links it again.
      }
    }
    if found.isEmpty { return false }
    let least = copies.min { $0.file.inode < $1.file.inode }
    guard let kept = group.keepsFirst ? copies.first : least else { throw .staleFileHandle }
    var isChanged = false
    for (name, file) in found where file != kept.file {
      if try relink(name, to: kept, of: group, worker) { isChanged = true }
    }
    return isChanged
  }

  /// Links a name to the file of another one.
  ///
  /// - Returns: False if both names were links to one file.
  private func relink(
    _ name: LinkGroups.Name,
    to kept: (name: LinkGroups.Name, file: FileIdentity),
    of group: LinkGroups.Group,
    _ worker: CopyWorker
  ) throws(SystemError) -> Bool {
    let place = try held.acquire(kept.name.directory)
    defer { held.release(kept.name.directory) }
    let directory = name.directory
    let pair = try held.acquire(directory)
    defer { held.release(directory) }
    var job = FileJob(directory: directory, sourceName: name.name, destinationName: name.name)
    job.isContested = true
    let item = CopyItem(job, in: pair, worker)
    let isChanged = try hidden.replace(item) { hidden throws(SystemError) in
      try link(kept.name, in: place.destination, as: hidden, of: item) { found in
        found.identity == kept.file && group.copy?.isAlike(found) ?? false
      }
    }
    // The directory may be complete, with the times of its source.
    if directory.parent != nil, !directory.has(.keepsMetadata),
      options.metadata.preserved.contains(.timestamps)
    {
      let (accessed, modified) = (directory.source.accessed, directory.source.modified)
      try pair.destination.setTimesOfHandle(accessed: accessed, modified: modified)
    }
    return isChanged
  }
}
