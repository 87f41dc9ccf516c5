import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The copy of all operands to one destination, from its place to its report.
final class CopyRun: Sendable {
  let context: CopyContext
  let parts: CopyParts
  private let workers: CopyWorker.Group
  private let total: Total
  private let jobs: Int

  /// The open directory that the operands are copied into.
  struct Place: Sendable {
    let directory: CopyDirectory
    /// The names of the operands in it.
    let names: [BytePath]
    /// The destination as it was given.
    let destination: BytePath
    /// Whether the only operand has the name of its copy, even if that is an existing directory.
    let isExact: Bool
  }

  /// A place, or the error of opening it.
  enum Opening: Sendable {
    case opened(Place)
    case failed(CopyError)

    var place: Place? { if case .opened(let place) = self { place } else { nil } }
  }

  /// The sum of the reports of the workers that have ended.
  private final class Total: Sendable {
    let report = BargingLock(CopyReport())
  }

  /// Creates a run of at most `jobs` jobs and about `descriptorLimit` descriptors. If `pace` is not
  /// nil, it limits the jobs to those that make the copy faster.
  init(_ context: CopyContext, jobs: Int, pace: JobPace?, descriptorLimit: Int) {
    self.context = context
    self.jobs = jobs
    let parts = CopyParts(context, jobs: jobs, descriptorLimit: descriptorLimit)
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
      retire: { worker in total.report.withLock { $0.add(worker.report.result) } }
    )
  }

  /// Copies the sources to a place, and returns the report when all threads have ended.
  ///
  /// If the place could not be opened, that is the only failure.
  func copy(_ sources: [BytePath], to opening: Opening) -> CopyReport {
    let worker = CopyWorker(context, group: workers)
    var opened: Place?
    do throws(CopyError) {
      let place: Place
      switch opening {
      case .opened(let found): place = found
      case .failed(let error): throw error
      }
      if context.options.deletion.removesExtraneous && context.options.tree.isRecursive {
        try checkDeletion(sources, in: place)
      }
      if try beginShard(place.names, in: place.directory, worker) {
        opened = place
        try copyOperands(sources, to: place, worker)
        flush(worker)
        // A list without the files that a stopped copy lacks could pass for a complete one.
        if let manifest = context.manifest, !worker.isStopped { try manifest.publish() }
      }
    } catch {
      worker.fail(error)
    }
    workers.close()
    if let opened { endShard(opened.names, in: opened.directory, worker) }
    context.shared?.endDestination()
    return total.report.withLock { report in
      report.add(worker.report.result)
      report.jobs = jobs
      report.elapsed = context.monitor.progress.elapsed
      return report
    }
  }

  /// Records the free space at a place before the copy, which `copies` destinations share.
  func beginSpaceCheck(at place: Place, for sources: [BytePath], copies: Int) {
    // A directory that cannot be opened is reported by the copy.
    _ = try? parts.held.withPair(of: place.directory) { (pair) throws(CopyError) in
      parts.space.begin(
        at: pair.destination,
        for: sources,
        to: place.destination,
        copies: copies
      )
    }
  }

  /// Copies the operands into a directory.
  private func copyOperands(
    _ sources: [BytePath],
    to place: Place,
    _ worker: CopyWorker
  ) throws(CopyError) {
    parts.hidden.protect(operands: place.names)
    if sources.count > 1 { parts.links.expectNamesAgain() }
    var operands = OperandCopy(
      parts,
      worker,
      place: place.directory,
      areSeveral: sources.count > 1
    )
    for (source, name) in zip(sources, place.names) where !worker.isStopped {
      operands.begin(source, as: name)
    }
    workers.drain(worker)
    parts.links.uniteAll(worker)
    try parts.held.withPair(of: place.directory) { (pair) throws(CopyError) in
      parts.hidden.removeUnused(in: place.directory, pair.destination)
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
  private func checkDeletion(_ sources: [BytePath], in place: Place) throws(CopyError) {
    let keepsParents = context.options.tree.keepsParents
    let directory = place.directory
    let operands = zip(sources, place.names).map { source, name in
      let path = BytePath(bytes: source.bytes.drop { $0 == UInt8(ascii: "/") })
      let target = keepsParents ? path : name
      return DeletionCheck.Operand(
        source: source,
        target: target,
        path: directory.destinationPath(target)
      )
    }
    try parts.held.withPair(of: directory) { (pair) throws(CopyError) in
      try DeletionCheck(context.options, operands, in: pair).run(isExact: place.isExact)
    }
  }

  /// Flushes the file systems of the destination if that is requested and all files were begun.
  private func flush(_ worker: CopyWorker) {
    guard let fileSystems = context.fileSystems, !worker.isStopped else { return }
    // Other destinations may still be copied to, whose progress is shown.
    let isShown = context.shared == nil
    if isShown { context.monitor.shared.setFlushing(true) }
    defer { if isShown { context.monitor.shared.setFlushing(false) } }
    fileSystems.flush { path, error in worker.fail(CopyError(.synchronize, path, error)) }
  }

  /// Opens the directory that the operands are copied into.
  func open(
    _ destination: BytePath,
    for sources: [BytePath],
    _ placement: CopyPlacement
  ) throws(CopyError) -> Place {
    if placement != .exactly {
      do throws(SystemError) {
        let target = try BorrowedDescriptor.workingDirectory.open(
          destination,
          [.path, .directory]
        )
        return Place(
          directory: try place(target, path: destination),
          names: sources.map(OperandNames.nameInDirectory(of:)),
          destination: destination,
          isExact: false
        )
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
      return Place(
        directory: try place(parent, path: directory, isBesideCopy: true),
        names: [name],
        destination: destination,
        isExact: placement == .exactly
      )
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
    let releases = context.releases.endedCount
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
      systems: context.systems.pair(found.identity.device, found.identity.device),
      isNew: false,
      user: context.user,
      releases: releases,
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
