import IOChannelsSystem

/// The walk through the trees of the operands, by tasks that the threads of a copy perform.
final class TreeWalk: Sendable {
  let held: HeldDirectories
  let entries: EntryCopier
  private let context: CopyContext
  let directories: DirectoryOpener
  private let effects: any CopyEffects
  private let writer: EntryWriter
  /// The remover of entries that the source lacks; nil unless it is requested.
  private let remover: ExtraneousRemover?
  /// The choice of the files that this part of the copy has; nil for all files.
  private let shard: ShardRule?

  init(
    _ directories: DirectoryOpener,
    _ writer: EntryWriter
  ) {
    self.directories = directories
    self.writer = writer
    context = directories.context
    held = directories.held
    effects = directories.effects
    remover = directories.remover
    entries = EntryCopier(context, effects, remover)
    shard = ShardRule(for: context.options)
  }

  /// Performs a task and completes the directories in which it was the last one.
  func perform(_ task: CopyTask, _ worker: CopyWorker) {
    switch task {
    case .enter(let job):
      enter(job, worker)
      complete(job.directory, worker)
    case .read(let directory, let position):
      read(directory, from: position, worker)
      complete(directory, worker)
    case .files(let directory, let names):
      copyAndShare(names, in: directory, worker)
      complete(directory, worker)
    case .operand(let job, let kind):
      held.withPair(of: job.directory, worker) { pair in
        entries.copy(CopyItem(job, in: pair, worker), kind: kind)
      }
      complete(job.directory, worker)
    case .firstName(let job, let file, let kind):
      writer.copyNext(job, file, kind, worker)
      complete(job.directory, worker)
    case .link(let job, let first):
      held.withPair(of: job.directory, worker) { pair in
        writer.link(CopyItem(job, in: pair, worker), to: first)
      }
      complete(job.directory, worker)
    }
  }

  /// Creates or opens the destination of a directory, and copies the contents of the source.
  func enter(_ job: FileJob, _ worker: CopyWorker) {
    var opened: DirectoryOpener.Opened?
    // The parent is released before the contents are copied, so that each thread holds few
    // directories.
    held.withPair(of: job.directory, worker) { pair in
      var item = CopyItem(job, in: pair, worker)
      if worker.isStopped { return effects.restoreBackup(of: item) }
      do throws(CopyError) {
        guard try clearWay(for: &item) else { return }
        opened = try directories.open(item)
        if opened == nil { effects.restoreBackup(of: item) }
      } catch {
        effects.restoreBackup(of: item)
        if error.severity == .warning { context.warn(error) } else { item.fail(error) }
      }
    }
    guard let opened else { return }
    let directory = opened.directory
    remover?.claim(directory)
    if !directories.isOtherFileSystem(job, directory.source) {
      directory.set(.listed)
      if opened.isReadable { read(directory, from: 0, worker) }
    }
    held.release(directory)
    complete(directory, worker)
  }

  /// Backs up the existing file under the name of a directory inside a tree, if that is requested.
  ///
  /// - Returns: False if the directory is not copied.
  private func clearWay(for item: inout CopyItem) throws(CopyError) -> Bool {
    // Operands were examined before, and a new directory has no existing files.
    if context.options.existing.backup == nil || item.job.operand != nil || item.directory.isNew {
      return true
    }
    let source = try item.sourceStatus()
    return try entries.clearWay(for: &item, source)
  }

  /// Reads names of a directory and copies them, the files first.
  ///
  /// Directories become tasks, and so does the rest of the names if there are any. So the waiting
  /// tasks are bounded by one read of the directory.
  ///
  /// If the user is asked about existing files, all names are read and copied in the order of their
  /// bytes. So the questions have a fixed order.
  private func read(_ directory: CopyDirectory, from start: Int64, _ worker: CopyWorker) {
    let isOrdered = context.options.existing.rule == .ask
    held.withPair(of: directory, worker) { pair in
      do throws(SystemError) {
        if start != 0 { try pair.source.seekDirectory(to: start) }
        var next: Int64? = start
        while next != nil && !worker.isStopped {
          var names: [DirectoryEntry] = []
          // Most directories end with the first read, but only a second one shows it.
          repeat {
            next = try worker.reader.read(pair.source, into: &names)
          } while next != nil && (isOrdered || names.count < 256)
          if next == nil { directory.set(.listedCompletely) }
          if isOrdered { names.sort { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) } }
          let hasDirectories = names.contains { $0.kind == .directory }
          if hasDirectories, let position = next {
            worker.add(.read(directory, position: position), to: directory)
          }
          // The task that was added last begins first.
          for name in names.reversed() where name.kind == .directory {
            let job = job(for: name, in: directory)
            if !leavesOut(job, isDirectory: true) { worker.add(.enter(job), to: directory) }
          }
          copyAndShare(names[...], in: directory, worker)
          if hasDirectories { return }
        }
      } catch {
        worker.fail(CopyError(.readDirectory, directory.sourcePath(""), error))
      }
    }
  }

  /// Whether the filter leaves out a name.
  private func leavesOut(_ job: FileJob, isDirectory: Bool) -> Bool {
    job.directory.isFiltered
      && job.directory.scope.leavesOut(job.sourceName, isDirectory: isDirectory)
  }

  /// Copies the names that are not those of directories, and leaves half of them to idle threads.
  private func copyAndShare(
    _ names: ArraySlice<DirectoryEntry>,
    in directory: CopyDirectory,
    _ worker: CopyWorker
  ) {
    guard let first = names.first else { return }
    held.withPair(of: directory, worker) { pair in
      // An item for each file would retain the directory and the worker each time.
      var item = CopyItem(job(for: first, in: directory), in: pair, worker)
      let entries = names.span
      var (next, end) = (0, names.count)
      while next < end && !worker.isStopped {
        if next + 1 < end && worker.group.hasIdleThreads {
          let half = end - (end - next) / 2
          worker.add(.files(directory, names.prefix(end).dropFirst(half)), to: directory)
          end = half
        }
        if entries[next].kind != .directory {
          item.job.setName(of: entries[next])
          copy(&item, entries[next].kind)
        }
        next += 1
      }
    }
  }

  private func copy(_ item: inout CopyItem, _ listed: FileKind) {
    var kind = listed
    if kind == .unknown || (kind == .symbolicLink && context.followsLinks) {
      // A link that is left out in any case may lead nowhere.
      if leavesOut(item.job, isDirectory: false) && leavesOut(item.job, isDirectory: true) {
        return
      }
      do throws(CopyError) {
        let status = try item.sourceStatus()
        kind = status.kind
        item.job.expected = status.identity
      } catch {
        item.fail(error)
        return
      }
    }
    if leavesOut(item.job, isDirectory: kind == .directory) { return }
    if kind == .directory {
      item.worker.add(.enter(item.job), to: item.directory)
    } else if isIncluded(item) {
      entries.copy(item, kind: kind)
    }
  }

  /// Whether this part of the copy has a file. The other parts have the other files.
  private func isIncluded(_ item: CopyItem) -> Bool {
    guard let shard else { return true }
    do throws(CopyError) {
      return try shard.includes(item)
    } catch {
      item.fail(error)
      return false
    }
  }

  private func job(for name: DirectoryEntry, in directory: CopyDirectory) -> FileJob {
    let name = name.name
    return FileJob(
      directory: directory,
      sourceName: name,
      destinationName: name,
      followsSource: context.followsLinks,
      readsAnything: context.options.tree.readsSpecialFiles
    )
  }

  /// Counts a unit of work as done, and completes each directory in which it was the last one.
  func complete(_ directory: CopyDirectory, _ worker: CopyWorker) {
    var current = directory
    while current.end(), let parent = current.parent {
      remover?.clean(current, worker)
      // The directory may lose the permission for it with its own metadata.
      held.reopenParent(of: current)
      let isRemoved = removeIfUnused(current, in: parent, worker)
      // A directory that keeps its metadata may contain partial files too.
      let needsCompletion =
        !current.has(.keepsMetadata) || current.isWidened || context.options.existing.resumes
      if needsCompletion && !isRemoved { effects.complete(current, worker) }
      held.close(current)
      current = parent
    }
  }

  /// Removes a new directory that led to no ignored name.
  ///
  /// - Returns: Whether it was removed.
  private func removeIfUnused(
    _ directory: CopyDirectory,
    in parent: CopyDirectory,
    _ worker: CopyWorker
  ) -> Bool {
    // The directory of an operand stays.
    guard directory.scope.isPassage, parent.scope.isPassage, directory.isNew,
      !directory.isImagined
    else { return false }
    var isRemoved = false
    held.withPair(of: parent, worker) { pair in
      // A directory with files cannot be removed.
      isRemoved = (try? pair.destination.removeDirectory(directory.destinationName)) != nil
    }
    if isRemoved {
      worker.report.directoryCount -= 1
      context.operationObserver?.handle(.removed(directory.destinationPath("")))
    }
    return isRemoved
  }
}
