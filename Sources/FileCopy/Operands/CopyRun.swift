import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem
import QueueRuntime
import Synchronization

/// One call of a copier, from its operands to its report.
final class CopyRun: Sendable {
  let context: CopyContext
  let parts: CopyParts
  private let workers: CopyWorker.Group
  private let total: Total
  private let jobs: Int
  private let isDone = Atomic<Bool>(false)

  /// The sum of the reports of the workers that have ended.
  private final class Total: Sendable {
    let report = BargingLock(CopyReport())
  }

  /// Creates a run of at most `jobs` jobs. If `pace` is not nil, it limits the jobs to those that
  /// make the copy faster.
  init(_ context: CopyContext, jobs: Int, pace: JobPace?) {
    self.context = context
    self.jobs = jobs
    let parts = CopyParts(context, jobs: jobs)
    self.parts = parts
    let total = Total()
    let pool = BlockingPool(name: "copy", width: max(jobs - 1, 1), runsUserCode: true)
    self.total = total
    workers = CopyWorker.Group(
      jobs: jobs,
      pace: pace,
      start: { job in pool.submit(job) },
      makeContext: { group in CopyWorker(context, group: group) },
      perform: { task, worker in parts.walk.perform(task, worker) },
      retire: { worker in total.report.withLock { $0.add(worker.report) } }
    )
  }

  /// Copies the sources, and returns the report when all threads have ended.
  func copy(
    _ sources: [BytePath],
    to destination: BytePath,
    _ placement: CopyPlacement
  ) -> CopyReport {
    let monitor = context.monitor
    let worker = CopyWorker(context, group: workers)
    let before = RingTotals.soFar()
    monitor.begin()
    // The total of all parts is not that of one.
    let isCounted = context.options.countsAhead && context.options.shard == nil
    let counting = isCounted ? count(sources) : nil
    var opened: (place: CopyDirectory, names: [BytePath])?
    do throws(CopyError) {
      let (place, names) = try openPlace(for: sources, destination, placement)
      if context.options.deletion.removesExtraneous && context.options.tree.isRecursive {
        try checkDeletion(sources, names, in: place, isExact: placement == .exactly)
      }
      if try beginShard(names, in: place, worker) {
        opened = (place, names)
        try copyOperands(sources, as: names, in: place, worker, to: destination)
        flush(worker)
        // A list without the files that a stopped copy lacks could pass for a complete one.
        if let manifest = context.manifest, !worker.isStopped { try manifest.publish() }
      }
    } catch {
      worker.fail(error)
    }
    workers.close()
    if let (place, names) = opened { endShard(names, in: place, worker) }
    isDone.store(true, ordering: .relaxed)
    counting?.wait()
    monitor.end()
    return total.report.withLock { report in
      report.add(worker.report)
      report.jobs = jobs
      report.elapsed = monitor.progress.elapsed
      report.ring = RingTotals.soFar().since(before)
      report.channelBackend = Engine.sharedIfUsed?.choice.reason
      return report
    }
  }

  /// Copies the operands into a directory.
  private func copyOperands(
    _ sources: [BytePath],
    as names: [BytePath],
    in place: CopyDirectory,
    _ worker: CopyWorker,
    to destination: BytePath
  ) throws(CopyError) {
    try parts.held.withPair(of: place) { (pair) throws(CopyError) in
      parts.space.begin(at: pair.destination, for: sources, to: destination)
    }
    parts.hidden.protect(operands: names)
    var operands = OperandCopy(
      parts,
      worker,
      place: place,
      areSeveral: sources.count > 1
    )
    for (source, name) in zip(sources, names) where !worker.isStopped {
      operands.begin(source, as: name)
    }
    workers.drain(worker)
    parts.links.uniteAll(worker)
    try parts.held.withPair(of: place) { (pair) throws(CopyError) in
      parts.hidden.removeUnused(in: place, pair.destination)
    }
  }

  /// Ends a part, or the step after all parts, if nothing has failed. All workers have ended.
  private func endShard(_ names: [BytePath], in place: CopyDirectory, _ worker: CopyWorker) {
    let (isComplete, count) = total.report.withLock { ($0.isComplete, $0.fileCount) }
    guard isComplete && worker.report.isComplete else { return }
    do throws(CopyError) {
      try endShard(names, in: place, files: count + worker.report.fileCount)
    } catch {
      worker.fail(error)
    }
  }

  /// Refuses operands that a copy that removes entries could lose.
  private func checkDeletion(
    _ sources: [BytePath],
    _ names: [BytePath],
    in place: CopyDirectory,
    isExact: Bool
  ) throws(CopyError) {
    let keepsParents = context.options.tree.keepsParents
    let operands = zip(sources, names).map { source, name in
      let path = BytePath(bytes: source.bytes.drop { $0 == UInt8(ascii: "/") })
      let target = keepsParents ? path : name
      return DeletionCheck.Operand(
        source: source,
        target: target,
        path: place.destinationPath(target)
      )
    }
    try parts.held.withPair(of: place) { (pair) throws(CopyError) in
      try DeletionCheck(context.options, operands, in: pair).run(isExact: isExact)
    }
  }

  /// Flushes the file systems of the destination if that is requested and all files were begun.
  private func flush(_ worker: CopyWorker) {
    guard let fileSystems = context.fileSystems, !worker.isStopped else { return }
    context.monitor.setFlushing(true)
    defer { context.monitor.setFlushing(false) }
    fileSystems.flush { path, error in worker.fail(CopyError(.synchronize, path, error)) }
  }

  /// Counts the contents of the sources on a thread of its own.
  ///
  /// - Returns: A group that is entered until the count has ended.
  private func count(_ sources: [BytePath]) -> WorkGroup {
    let underWay = WorkGroup()
    underWay.enter()
    BlockingPool(name: "copy-count", width: 1).submit { [self] in
      let monitor = context.monitor
      var count = SourceCount(context.options) {
        !monitor.isStopping && !self.isDone.load(ordering: .relaxed)
      } report: { found in
        monitor.expect(files: found.files, bytes: found.bytes)
      }
      for source in sources { count.count(source, from: .workingDirectory) }
      if count.isExact { monitor.setCounted() }
      underWay.leave()
    }
    return underWay
  }

  /// Opens the directory that the operands are copied into, and returns their names in it.
  private func openPlace(
    for sources: [BytePath],
    _ destination: BytePath,
    _ placement: CopyPlacement
  ) throws(CopyError) -> (CopyDirectory, [BytePath]) {
    if placement != .exactly {
      do throws(SystemError) {
        let target = try BorrowedDescriptor.workingDirectory.open(
          destination,
          [.path, .directory]
        )
        let names = sources.map(OperandNames.nameInDirectory(of:))
        return (try place(target, path: destination), names)
      } catch {
        if placement == .intoDirectory {
          throw CopyError(.targetDirectory, destination, error)
        }
        if sources.count > 1 { throw CopyError(.target, destination, error) }
      }
    }
    if context.options.tree.keepsParents { throw CopyError(.parentsNeedDirectory, destination) }
    let (directory, name) = OperandNames.split(destination)
    do throws(SystemError) {
      let parent = try BorrowedDescriptor.workingDirectory.open(
        directory.isEmpty ? "." : directory,
        [.path, .directory]
      )
      return (try place(parent, path: directory, isBesideCopy: true), [name])
    } catch {
      throw missingPlace(sources, destination, error)
    }
  }

  /// Returns the error of cp if the directory of the destination does not exist.
  private func missingPlace(
    _ sources: [BytePath],
    _ destination: BytePath,
    _ error: SystemError
  ) -> CopyError {
    let follows = context.options.tree.following != .nothing
    for source in sources {
      do throws(SystemError) {
        let status = try BorrowedDescriptor.workingDirectory.status(of: source, following: follows)
        if status.kind == .directory && !context.options.tree.isRecursive {
          return CopyError(.omittedDirectory, source)
        }
        // As with cp, -f tries to remove a name that a cycle of links hides.
        let isRemoved =
          error == .tooManySymbolicLinkLevels
          && context.options.existing.removesAfterFailedOpen
          && context.options.writesThroughLinks(for: status.kind)
        if error != .noSuchFileOrDirectory && !isRemoved {
          return CopyError(.status, destination, error)
        }
        if status.kind != .directory {
          // As with cp, the copy of a file is announced before it fails.
          context.operationObserver?.handle(
            .copying(source: source, destination: destination, backup: nil)
          )
        }
        if let failure = openingFailure(of: source, status.kind) { return failure }
        if isRemoved { return CopyError(.remove, destination, error) }
        let problem = creationProblem(of: status.kind)
        let namesSource = problem == .createHardLink || problem == .linkToSource
        return CopyError(problem, destination, other: namesSource ? source : nil, error)
      } catch {
        return CopyError(.status, source, error)
      }
    }
    return CopyError(.target, destination, error)
  }

  /// Returns the error of a regular file that cannot be read, because cp opens it before its copy.
  ///
  /// - Returns: Nil if the file can be read, or is of another kind or not copied.
  private func openingFailure(of source: BytePath, _ kind: FileKind) -> CopyError? {
    guard kind == .regular, context.options.tree.product == .copies else { return nil }
    let follows = context.options.tree.following != .nothing
    do throws(SystemError) {
      let directory = BorrowedDescriptor.workingDirectory
      try directory.openRegular(source, .noTerminal, following: follows).close()
      return nil
    } catch {
      return CopyError(.open, source, error)
    }
  }

  /// Returns the problem of a source of some kind that cannot be created at the destination.
  private func creationProblem(of kind: FileKind) -> CopyProblem {
    let tree = context.options.tree
    if kind == .directory { return .createDirectory }
    switch tree.product {
    case .copies: break
    case .hardLinks: return .createHardLink
    case .symbolicLinks: return .linkToSource
    }
    if kind == .symbolicLink { return .createSymbolicLink }
    if kind == .regular || !tree.isRecursive || tree.readsSpecialFiles { return .createFile }
    return kind == .fifo ? .createFIFO : .createSpecialFile
  }

  /// Returns the directory that the operands are copied into.
  private func place(
    _ destination: consuming OwnedDescriptor,
    path: BytePath,
    isBesideCopy: Bool = false
  ) throws(SystemError) -> CopyDirectory {
    let found = try destination.borrowed.status()
    context.fileSystems?.add(directory: destination.borrowed, on: found.identity.device, path)
    let directory = CopyDirectory(
      parent: nil,
      operand: CopyOperand(source: "", destination: path),
      sourceName: "",
      destinationName: path,
      // The place has no source of its own: operands are named from the working directory, which
      // this process may be unable to open.
      source: found,
      destination: found,
      isNew: false,
      // Without access to the list the mask counts, which is the narrowest one without `/proc`.
      defaultAccess: (try? destination.borrowed.defaultAccess()) ?? nil,
      followsSource: true,
      followsDestination: true,
      isBesideCopy: isBesideCopy
    )
    _ = parts.held.hold(directory, source: nil, destination: destination)
    return directory
  }
}
