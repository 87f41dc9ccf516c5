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
    /// The permission bits that the directory gets back if it stays; nil if they were not changed.
    var formerPermissions: UInt32?
  }

  private let remover: ExtraneousRemover
  private let directory: CopyDirectory
  private let pair: DirectoryPair
  private let worker: CopyWorker
  private let isDryRun: Bool
  /// The mount of the destination.
  private let mount: Int64?
  /// The destination of the directory that is copied.
  private let topmost: OwnedDescriptor
  /// The owner of `current`; nil for the directory that is copied.
  private var innermost: OwnedDescriptor?
  private var current: BorrowedDescriptor
  /// The directories from the copied one to `current`.
  private var levels: [Level] = []
  /// Whether the limit is exceeded, so that nothing more is removed.
  private var isOver = false
  /// Whether an entry of the directory that is copied stays.
  private var keepsEntry = false
  /// Whether one entry is removed, which is left alone if another process gives it another kind.
  private var isForCopy = false

  /// Creates the removal from a directory, whose destination was opened once more as `top`.
  init(
    _ remover: ExtraneousRemover,
    _ directory: CopyDirectory,
    _ pair: DirectoryPair,
    _ worker: CopyWorker,
    top: consuming OwnedDescriptor
  ) {
    self.remover = remover
    self.directory = directory
    self.pair = pair
    self.worker = worker
    isDryRun = worker.context.options.isDryRun
    mount = directory.mount
    current = top.borrowed
    topmost = top
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
    work(from: begun.level)
  }

  /// Removes one entry, with all that is in it, before its name is copied.
  ///
  /// If it has become a directory or none meanwhile, another copy has done so, and it counts as
  /// removed.
  ///
  /// - Returns: False if it stays. The reasons were reported, except that an entry is to stay.
  func removeEntry(_ entry: DirectoryEntry) -> Bool {
    guard remover.mayRemove(1, from: { self.path(of: "") }, worker) else { return false }
    var level = Level(
      name: "",
      identity: directory.destination.identity,
      names: ExtraneousNames(directory, source: pair.source)
    )
    isForCopy = true
    level.waiting = [entry]
    level.rest = 1
    work(from: level)
    return levels.isEmpty && !keepsEntry
  }

  /// Removes the counted entries of the directory that is copied.
  private func work(from level: Level) {
    levels = [level]
    while !levels.isEmpty && !isOver && !worker.isStopped {
      do throws(CopyError) {
        try step()
      } catch {
        worker.fail(error)
        giveUp()
      }
    }
    // Directories that stay get their modes back.
    while levels.count > 1 {
      giveUp()
      leave()
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
      } else if try current.mountNumber(of: name) != mount {
        // The kernel refuses to remove a file that is a mount point.
        throw .resourceBusy
      }
      note(name, isDirectory: false)
    } catch {
      switch error {
      case .noSuchFileOrDirectory: break
      case .isDirectory: if !isCopied { try descend(into: name) }
      default: fail(name, error)
      }
    }
  }

  /// Opens a directory, whose entries are removed next.
  private func descend(into name: BytePath) throws(CopyError) {
    do throws(SystemError) {
      let inner = try open(name)
      guard let names = contents(of: name, inner.descriptor.borrowed) else {
        inner.descriptor.borrowed.restorePermissions(inner.formerPermissions)
        return keep(name)
      }
      var level = Level(name: name, identity: inner.identity, names: names)
      level.formerPermissions = inner.formerPermissions
      levels.append(level)
      current = inner.descriptor.borrowed
      innermost = consume inner.descriptor
    } catch {
      switch error {
      case .noSuchFileOrDirectory: break
      case .notDirectory, .tooManySymbolicLinkLevels: if !isCopied { removeReplaced(name) }
      default: fail(name, error)
      }
      return
    }
    let last = levels.count - 1
    let begun = try begin(levels[last])
    levels[last] = begun.level
    isOver = !remover.mayRemove(begun.count, from: { self.path(of: "") }, worker)
  }

  /// Whether the entries of the current directory have sources.
  private var isCopied: Bool { isForCopy && levels.count == 1 }

  /// An open directory whose entries may be removed.
  private struct Opened: ~Copyable {
    var descriptor: OwnedDescriptor
    var identity: FileIdentity
    var formerPermissions: UInt32?
  }

  /// Opens a directory, and widens its permissions if that is needed and allowed.
  private func open(_ name: BytePath) throws(SystemError) -> Opened {
    let handle = try current.open(name, [.path, .directory, .noFollow])
    let found = try handle.borrowed.status()
    // A mounted directory stays, as its mount point does. It may show the source or anything else.
    // A bind mount has the same device, and a subvolume of btrfs has another one but is no mount.
    if try handle.borrowed.mountNumber() != mount { throw .resourceBusy }
    let former = isDryRun ? nil : handle.borrowed.widenPermissions(found)
    do throws(SystemError) {
      return Opened(
        descriptor: try handle.borrowed.open(".", [.directory, .nonBlocking]),
        identity: found.identity,
        formerPermissions: former
      )
    } catch {
      handle.borrowed.restorePermissions(former)
      throw error
    }
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
  ///
  /// If it stays, it gets its mode back.
  private func leave() {
    guard let level = levels.popLast() else { return }
    guard let parent = levels.last else {
      keepsEntry = level.keeps
      return
    }
    let opened = current
    let owner = innermost.take()
    if !remove(level, from: parent) { opened.restorePermissions(level.formerPermissions) }
    _ = consume owner
  }

  /// Returns to a directory, and removes the one that was left if it is empty.
  ///
  /// - Returns: False if it stays.
  private func remove(_ level: Level, from parent: Level) -> Bool {
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
      return false
    }
    if level.keeps {
      keep(level.name)
      return false
    }
    do throws(SystemError) {
      if !isDryRun { try current.removeDirectory(level.name) }
      note(level.name, isDirectory: true)
      return true
    } catch {
      // Another process has removed it first, or another copy has already replaced it.
      if error == .noSuchFileOrDirectory || (error == .notDirectory && isCopied) { return true }
      fail(level.name, error)
      return false
    }
  }

  private func returnToTop() {
    current = topmost.borrowed
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
