internal import IOChannelsLocks
import IOChannelsSystem

/// The remover of entries of the destination that the source lacks, or has as another kind of file.
///
/// It works on one directory after all copies in it, before the directory gets its metadata.
/// Several threads may do so in different directories. An entry of another kind is removed before
/// the copy of its source.
final class ExtraneousRemover: Sendable {
  private let context: CopyContext
  private let held: HeldDirectories
  private let allowance: BargingLock<RemovalAllowance>
  private let claims = BargingLock(DestinationClaims())

  init(_ context: CopyContext, _ held: HeldDirectories) {
    self.context = context
    self.held = held
    allowance = BargingLock(RemovalAllowance(limit: context.options.deletion.limit))
  }

  /// Records the destination of a directory before its contents are copied.
  ///
  /// That of an operand is always recorded. Another one is recorded if its name may have several
  /// spellings.
  func claim(_ directory: CopyDirectory) {
    guard let parent = directory.parent, !directory.isImagined else { return }
    if parent.operand === directory.operand && isOnlySpelling(directory, in: parent) { return }
    let destination = directory.destination.identity
    let place = place(of: directory, in: parent)
    claims.withLock { claims in claims.claim(destination, in: place) }
  }

  /// Records a directory on the path of an operand.
  ///
  /// If a source has the same destination under another spelling, it lacks the copy of the operand.
  func claim(passage directory: CopyDirectory) {
    if directory.isImagined { return }
    claims.withLock { $0.claim(passage: directory.destination.identity) }
  }

  /// Whether no other name of the parent leads to the destination of a directory, for certain.
  private func isOnlySpelling(_ directory: CopyDirectory, in parent: CopyDirectory) -> Bool {
    if parent.has(.distinguishesNames) { return true }
    let (name, identity) = (directory.destinationName, directory.destination.identity)
    do throws(CopyError) {
      let distinction = try held.withPair(of: parent) { (pair) throws(CopyError) in
        NameDistinction(of: pair.destination, name, identity)
      }
      if distinction == .allNames { parent.set(.distinguishesNames) }
      return distinction != .unknown
    } catch {
      return false
    }
  }

  /// Returns the place in which a directory has its destination alone. All operands have one.
  private func place(of directory: CopyDirectory, in parent: CopyDirectory) -> ObjectIdentifier {
    parent.operand === directory.operand ? ObjectIdentifier(parent) : ObjectIdentifier(self)
  }

  /// Removes the entries that the source lacks from a directory whose copy is complete otherwise.
  ///
  /// A new directory has none. If not all names of the source were read, nothing is removed.
  func clean(_ directory: CopyDirectory, _ worker: CopyWorker) {
    let place = ObjectIdentifier(directory)
    claims.withLock { claims in claims.forget(in: place) }
    if directory.isNew || directory.isImagined || !directory.has(.listed) { return }
    if worker.isStopped { return }
    if directory.isBeyondMount { return reportMount(directory, worker) }
    guard directory.has(.listedCompletely) else { return reportIncomplete(directory) }
    do throws(CopyError) {
      try held.withPair(of: directory) { (pair) throws(CopyError) in
        try removeExtraneous(from: directory, pair, worker)
      }
    } catch {
      worker.fail(error)
      reportIncomplete(directory)
    }
  }

  private func removeExtraneous(
    from directory: CopyDirectory,
    _ pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    let listing = try attempt(
      .readDirectory,
      directory.destinationPath(""),
      try pair.destination.open(".", [.directory, .nonBlocking])
    )
    // Another file system may have been mounted there since the copy began.
    if (try? listing.borrowed.mountNumber()) != directory.mount {
      throw CopyError(.removeInMount, directory.destinationPath(""), .resourceBusy)
    }
    let removal = ExtraneousRemoval(self, directory, pair, worker, top: listing)
    try removal.run()
  }

  /// Reports the topmost directory of a mount, which may show the source or anything else.
  private func reportMount(_ directory: CopyDirectory, _ worker: CopyWorker) {
    if directory.parent?.isBeyondMount == true { return }
    let path = directory.destinationPath("")
    if directory.mount == nil {
      return worker.fail(CopyError(.removeInUnknownMount, path, .noFunction))
    }
    worker.fail(CopyError(.removeInMount, path, .resourceBusy))
  }

  private func reportIncomplete(_ directory: CopyDirectory) {
    context.warn(CopyError(.nothingRemoved, directory.destinationPath("")))
  }

  /// Whether another directory of the source has the same destination, or a destination inside.
  func isShared(_ directory: CopyDirectory) -> Bool {
    guard let parent = directory.parent else { return false }
    let place = place(of: directory, in: parent)
    let destination = directory.destination.identity
    return claims.withLock { $0.isShared(in: place) || $0.isPassage(destination) }
  }

  /// Requests the removal of a number of entries, and reports the first refusal.
  ///
  /// - Returns: Whether they may be removed.
  func mayRemove(_ count: Int, from path: () -> BytePath, _ worker: CopyWorker) -> Bool {
    switch allowance.withLock({ allowance in allowance.request(count) }) {
    case .granted: return true
    case .refused: return false
    case .firstRefused(let before):
      let limit = context.options.deletion.limit ?? 0
      worker.fail(CopyError(.removalLimit(limit, count: count, before: before), path()))
      return false
    }
  }
}

/// Entries of another kind than their sources.
extension ExtraneousRemover {
  /// Removes the existing entry of a name, with all that is in it, before its source is copied.
  ///
  /// These are removals like those of entries that the source lacks.
  ///
  /// - Throws: ``CopyProblem/keptEntry`` if it stays, after the report of the reasons.
  func removeEntry(of item: CopyItem, over found: FileStatus) throws(CopyError) {
    let (name, worker) = (item.job.destinationName, item.worker)
    let top = try attempt(
      .readDirectory,
      item.directory.destinationPath(""),
      try item.pair.destination.open(".", [.path, .directory])
    )
    let removal = ExtraneousRemoval(self, item.directory, item.pair, worker, top: top)
    let isRemoved = removal.removeEntry(DirectoryEntry(name: name, kind: found.kind, inode: 0))
    if worker.isStopped { throw CopyError(.stopped, item.sourcePath) }
    if !isRemoved { throw CopyError(.keptEntry, item.destinationPath, other: item.sourcePath) }
  }

  /// Refuses to replace an entry that stays in each copy that removes entries, or that may be the
  /// copy of another name.
  ///
  /// A source that cannot be opened is refused as well, since its copy would fail.
  func checkEntry(
    of item: CopyItem,
    for source: FileStatus,
    over found: FileStatus
  ) throws(CopyError) {
    let (directory, name) = (item.directory, item.job.destinationName)
    if source.kind == .regular { _ = try item.openSource(acceptsNodes: true) }
    let isManifest =
      context.manifestLocation.map {
        $0.directory == directory.destination.identity && $0.name == name
      } ?? false
    if isManifest || directory.scope.keeps(name, isDirectory: found.kind == .directory) {
      throw CopyError(.keptEntry, item.destinationPath, other: item.sourcePath)
    }
    if try !isOnlyName(item, of: found) {
      throw CopyError(.mixedNames, directory.destinationPath(""))
    }
  }

  /// Whether no other name of the source leads to an entry, as it may where case does not count.
  private func isOnlyName(_ item: CopyItem, of found: FileStatus) throws(CopyError) -> Bool {
    let (directory, name) = (item.directory, item.job.destinationName)
    let (source, destination) = (item.pair.source, item.pair.destination)
    if directory.has(.distinguishesNames) { return true }
    switch NameDistinction(of: destination, name, found.identity) {
    case .allNames:
      directory.set(.distinguishesNames)
      return true
    case .oneName: return true
    case .unknown: break
    }
    do throws(SystemError) {
      let listing = try source.open(".", [.directory, .nonBlocking])
      var next: Int64?
      repeat {
        var names: [DirectoryEntry] = []
        next = try item.worker.reader.read(listing.borrowed, into: &names)
        for other in names where other.name != item.job.sourceName {
          if (try? destination.status(of: other.name))?.identity == found.identity { return false }
        }
      } while next != nil
      return true
    } catch {
      throw CopyError(.readDirectory, directory.sourcePath(""), error)
    }
  }
}
