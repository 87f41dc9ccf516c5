import IOChannelsSystem

/// The removal of entries from one directory of the destination, with all that is in them.
///
/// Each call concerns one name in an open directory and follows no link. Of the directories inside
/// the one that is copied, only the innermost is open. Its parent is opened through `..` and must
/// be the directory that it was before. So the depth is unlimited, and a directory that another
/// process moves leads nowhere else.
final class ExtraneousRemoval {
  /// A directory from which entries are being removed.
  private struct Level {
    /// The name in the directory above; empty for the directory that is copied.
    var name: BytePath
    var identity: FileIdentity
    var names: ExtraneousNames
    var waiting: ArraySlice<DirectoryEntry> = []
    /// The position behind the waiting entries; nil at the end.
    var next: Int64?
    /// The number of counted entries that were not removed. No more are removed than were counted.
    var rest = 0
    /// Whether entries are removed before all were read, so that some may be skipped.
    var isDivided = false
    /// Whether an entry was removed since the first one was read.
    var hasRemoved = false
    /// Whether an entry stays, and so does the directory.
    var keeps = false
    /// The names of entries that could not be removed, as many as a batch has.
    var staying: Set<BytePath> = []
    /// Whether more entries could not be removed, so that the directory is not read again.
    var hasForgotten = false
  }

  private let remover: ExtraneousRemover
  private let directory: CopyDirectory
  private let pair: DirectoryPair
  private let worker: CopyWorker
  private let isDryRun: Bool
  /// The mount of the destination; nil if the kernel does not report it.
  private let mount: Int64?
  /// The destination of the directory that is copied.
  private let top: OwnedDescriptor
  /// The owner of `current`; nil for the directory that is copied.
  private var innermost: OwnedDescriptor?
  private var current: BorrowedDescriptor
  /// The directories from the copied one to `current`.
  private var levels: [Level] = []
  /// Whether the limit is exceeded, so that nothing more is removed.
  private var isOver = false

  /// Creates the removal from a directory, whose destination was opened once more as `listing`.
  init(
    _ remover: ExtraneousRemover,
    _ directory: CopyDirectory,
    _ pair: DirectoryPair,
    _ worker: CopyWorker,
    listing: consuming OwnedDescriptor
  ) {
    self.remover = remover
    self.directory = directory
    self.pair = pair
    self.worker = worker
    isDryRun = worker.context.options.isDryRun
    mount = try? listing.borrowed.mountNumber()
    current = listing.borrowed
    top = listing
  }

  /// Removes all entries that the source lacks.
  ///
  /// - Throws: An error before the first removal. Later ones are reported.
  func run() throws(CopyError) {
    let level = Level(
      name: "",
      identity: directory.destination.identity,
      names: ExtraneousNames(directory, source: pair.source)
    )
    let begun = try begin(level)
    guard begun.count > 0, try isDetermined(matched: begun.matchedCount),
      remover.mayRemove(begun.count, from: { self.path(of: "") }, worker)
    else { return }
    levels = [begun.level]
    while !levels.isEmpty && !isOver && !worker.isStopped {
      do throws(CopyError) {
        try step()
      } catch {
        worker.fail(error)
        giveUp()
      }
    }
  }

  /// A directory whose entries were counted.
  private struct Begun {
    var level: Level
    /// The number of entries to remove.
    var count: Int
    /// The number of names that the source has.
    var matchedCount: Int
  }

  /// Counts the entries to remove from the current directory, which was just opened, and keeps the
  /// first of them.
  private func begin(_ level: Level) throws(CopyError) -> Begun {
    var batch = try read(level, from: nil)
    var begun = Begun(
      level: level,
      count: batch.entries.count,
      matchedCount: batch.matchedCount
    )
    begun.level.waiting = batch.entries[...]
    begun.level.next = batch.next
    begun.level.isDivided = batch.next != nil
    begun.level.keeps = batch.hasOthers
    while batch.next != nil {
      batch = try read(level, from: nil)
      begun.count += batch.entries.count
      begun.matchedCount += batch.matchedCount
      if batch.hasOthers { begun.level.keeps = true }
    }
    begun.level.rest = begun.count
    return begun
  }

  private func read(
    _ level: Level,
    from position: Int64?
  ) throws(CopyError) -> ExtraneousNames.Batch {
    try level.names.read(
      current,
      from: position,
      without: level.staying,
      worker,
      path: { self.path(of: "") }
    )
  }

  /// Removes one entry, reads more of them, or leaves the current directory.
  private func step() throws(CopyError) {
    let last = levels.count - 1
    if levels[last].rest == 0 { return leave() }
    if let entry = levels[last].waiting.popFirst() {
      if entry.kind == .directory { return try descend(into: entry.name) }
      return try remove(entry.name)
    }
    if let position = levels[last].next { return try readMore(from: position) }
    let mayHaveSkipped = levels[last].isDivided && levels[last].hasRemoved
    if mayHaveSkipped && !levels[last].hasForgotten && !isDryRun {
      levels[last].isDivided = false
      levels[last].hasRemoved = false
      return try readMore(from: 0)
    }
    leave()
  }

  private func readMore(from position: Int64) throws(CopyError) {
    let last = levels.count - 1
    let batch = try read(levels[last], from: position)
    levels[last].waiting = batch.entries[...]
    levels[last].next = batch.next
    if batch.next != nil { levels[last].isDivided = true }
  }

  /// Removes an entry that is not a directory.
  private func remove(_ name: BytePath) throws(CopyError) {
    do throws(SystemError) {
      if !isDryRun {
        try current.remove(name)
      } else if isOtherMount(try? current.mountNumber(of: name)) {
        // The kernel refuses to remove a file that is a mount point.
        throw .resourceBusy
      }
      note(name, isDirectory: false)
    } catch {
      switch error {
      case .noSuchFileOrDirectory: break
      case .isDirectory: try descend(into: name)
      default: fail(name, error)
      }
    }
  }

  /// Opens a directory, whose entries are removed next.
  private func descend(into name: BytePath) throws(CopyError) {
    do throws(SystemError) {
      let inner = try current.open(name, [.directory, .noFollow, .nonBlocking])
      let identity = try inner.borrowed.status().identity
      // The contents of another file system stay, as its mount point does. A bind mount has the
      // same device, and may show the source or anything else.
      if identity.device != directory.destination.identity.device { throw .resourceBusy }
      if isOtherMount(try? inner.borrowed.mountNumber()) { throw .resourceBusy }
      guard let names = contents(of: name, inner.borrowed) else { return keep(name) }
      levels.append(Level(name: name, identity: identity, names: names))
      current = inner.borrowed
      innermost = consume inner
    } catch {
      switch error {
      case .noSuchFileOrDirectory: break
      case .notDirectory, .tooManySymbolicLinkLevels: removeReplaced(name)
      default: fail(name, error)
      }
      return
    }
    let last = levels.count - 1
    let begun = try begin(levels[last])
    levels[last] = begun.level
    isOver = !remover.mayRemove(begun.count, from: { self.path(of: "") }, worker)
  }

  /// Whether a mount is another one than that of the destination, as far as the kernel reports it.
  private func isOtherMount(_ number: Int64?) -> Bool {
    guard let mount, let number else { return false }
    return number != mount
  }

  /// Returns the reader of a directory that was opened; nil if all of its entries stay.
  private func contents(of name: BytePath, _ opened: BorrowedDescriptor) -> ExtraneousNames? {
    do throws(RuleFileError) {
      return try levels[levels.count - 1].names.inside(name, opened)
    } catch {
      worker.fail(CopyError(.open, path(of: name).appending(error.path), error.error))
      return nil
    }
  }

  /// Removes an entry that another process put in the place of a directory.
  private func removeReplaced(_ name: BytePath) {
    do throws(SystemError) {
      if !isDryRun { try current.remove(name) }
      note(name, isDirectory: false)
    } catch {
      if error != .noSuchFileOrDirectory { fail(name, error) }
    }
  }

  /// Returns to the directory above the current one, and removes the current one if it is empty.
  private func leave() {
    guard let level = levels.popLast(), let parent = levels.last else { return }
    do throws(SystemError) {
      if levels.count == 1 {
        returnToTop()
      } else {
        let above = try current.open("..", [.directory, .nonBlocking])
        if try above.borrowed.status().identity != parent.identity { throw .staleFileHandle }
        current = above.borrowed
        innermost = consume above
      }
    } catch {
      worker.fail(CopyError(.readDirectory, path(of: ""), error))
      let name = levels[1].name
      levels.removeSubrange(1...)
      returnToTop()
      keep(name)
      return
    }
    if level.keeps { return keep(level.name) }
    do throws(SystemError) {
      if !isDryRun { try current.removeDirectory(level.name) }
      note(level.name, isDirectory: true)
    } catch {
      if error != .noSuchFileOrDirectory { fail(level.name, error) }
    }
  }

  private func returnToTop() {
    current = top.borrowed
    innermost = nil
  }

  /// Removes nothing more from the current directory.
  private func giveUp() {
    let last = levels.count - 1
    levels[last].waiting = []
    levels[last].next = nil
    levels[last].isDivided = false
    levels[last].keeps = true
  }

  /// Reports that an entry could not be removed.
  private func fail(_ name: BytePath, _ error: SystemError) {
    worker.fail(CopyError(.remove, path(of: name), error))
    keep(name)
  }

  /// Records that an entry of the current directory stays.
  private func keep(_ name: BytePath) {
    let last = levels.count - 1
    levels[last].keeps = true
    if levels[last].staying.count < ExtraneousNames.batchLimit {
      levels[last].staying.insert(name)
    } else {
      levels[last].hasForgotten = true
    }
  }

  /// Counts and reports a removed entry of the current directory.
  private func note(_ name: BytePath, isDirectory: Bool) {
    let last = levels.count - 1
    levels[last].hasRemoved = true
    levels[last].rest -= 1
    worker.report.removedCount += 1
    worker.context.removalObserver?.handle(
      .removedExtraneous(path(of: name), isDirectory: isDirectory)
    )
  }

  /// Returns the path of an entry of the current directory, or that of the directory.
  private func path(of name: BytePath) -> BytePath {
    var path = BytePath("")
    for level in levels.dropFirst() { path = path.appending(level.name) }
    return directory.destinationPath(name.isEmpty ? path : path.appending(name))
  }
}

/// The source.
extension ExtraneousRemoval {
  /// Whether the entries that the source lacks are known for certain. If not, that is reported.
  ///
  /// If the file system of the destination does not distinguish two names, an entry may be the copy
  /// of a source that has another spelling. Then the destination finds more names of the source
  /// than it lists.
  private func isDetermined(matched: Int) throws(CopyError) -> Bool {
    var (count, found) = (0, 0)
    do throws(SystemError) {
      let listing = try pair.source.open(".", [.directory, .nonBlocking])
      var next: Int64?
      repeat {
        var names: [DirectoryEntry] = []
        next = try worker.reader.read(listing.borrowed, into: &names)
        count += names.count { directory.scope.mayCopy($0) }
        for entry in names where (try? pair.destination.status(of: entry.name)) != nil {
          found += 1
        }
      } while next != nil
    } catch {
      throw CopyError(.readDirectory, directory.sourcePath(""), error)
    }
    let isOperand = directory.parent?.operand !== directory.operand
    if count == 0 && isOperand && !worker.context.options.deletion.acceptsEmptySources {
      worker.fail(CopyError(.emptySource, directory.sourcePath("")))
      return false
    }
    if found > matched || remover.isShared(directory) {
      worker.fail(CopyError(.mixedNames, directory.destinationPath("")))
      return false
    }
    return true
  }
}
