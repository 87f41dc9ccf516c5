import QueueRuntime
import IOChannelsEngine
import Synchronization
import IOChannelsSystem

extension CopySession {
  /// Copies anything that is not a directory.
  func copyNonDirectory(
    _ job: FileJob,
    kind: FileKind,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    if isStopped(worker) { return undoBackup(job, in: pair) }
    defer { monitor.countFile() }
    var job = job
    // Operands were looked at and announced when they were begun.
    if job.operand == nil {
      // In a new directory nothing is in the way.
      if looksFirst && !job.directory.isNew {
        do throws(CopyError) {
          let source = try lookedAt(job, in: pair)
          guard try clearWay(for: &job, source, in: pair, worker) else { return }
        } catch {
          fail(error, worker)
          return
        }
      }
      announce(job)
    }
    if options.isDryRun { return simulate(job, kind: kind, in: pair, worker) }
    let failures = worker.report.failureCount
    make(job, kind: kind, in: pair, worker)
    if worker.report.failureCount > failures || worker.report.isStopped {
      undoBackup(job, in: pair)
    }
  }

  private func lookedAt(_ job: FileJob, in pair: DirectoryPair) throws(CopyError) -> FileStatus {
    do throws(SystemError) {
      return try pair.source.status(of: job.sourceName, following: job.followsSource)
    } catch {
      throw CopyError(.status, job.sourcePath, error)
    }
  }

  private func make(
    _ job: FileJob,
    kind: FileKind,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    switch options.product {
    case .copies: break
    case .hardLinks: return makeHardLink(job, in: pair, worker)
    case .symbolicLinks: return makeLinkToSource(job, in: pair, worker)
    }
    switch kind {
    case .regular: copyFile(job, in: pair, worker)
    case .symbolicLink: copySymbolicLink(job, in: pair, worker)
    case .fifo, .socket, .characterDevice, .blockDevice:
      if job.readsAnything {
        copyFile(job, in: pair, worker)
      } else {
        copySpecialFile(job, in: pair, worker)
      }
    case .directory, .unknown: fail(CopyError(.unknownKind, job.sourcePath), worker)
    }
  }

  /// Copies a regular file, or gives its copy a further name.
  private func copyFile(_ job: FileJob, in pair: DirectoryPair, _ worker: CopyWorker) {
    do throws(CopyError) {
      let source = try openSource(job, in: pair)
      let status = try status(ofSource: source.borrowed, job)
      try linked(job, status, in: pair, worker) { () throws(CopyError) in
        let failures = worker.report.failures.count
        do throws(CopyError) {
          try copyContent(job, source.borrowed, status, in: pair, worker)
        } catch {
          try copyAgain(job, status, in: pair, after: error, worker, since: failures) {
            (job) throws(CopyError) in
            try copyOpening(job, of: status.identity, in: pair, worker)
          }
        }
      }
    } catch {
      fail(error, worker)
    }
  }

  /// Copies the bytes of a file with several names, which must be the one that is meant.
  func copyContent(
    _ job: FileJob,
    of file: FileIdentity,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    let failures = worker.report.failures.count
    do throws(CopyError) {
      try copyOpening(job, of: file, in: pair, worker)
    } catch {
      let source = try status(of: job, in: pair)
      try copyAgain(job, source, in: pair, after: error, worker, since: failures) {
        (job) throws(CopyError) in
        try copyOpening(job, of: file, in: pair, worker)
      }
    }
  }

  private func copyOpening(
    _ job: FileJob,
    of file: FileIdentity,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    let source = try openSource(job, in: pair)
    let status = try status(ofSource: source.borrowed, job)
    if status.identity != file { throw CopyError(.replaced, job.sourcePath) }
    try copyContent(job, source.borrowed, status, in: pair, worker)
  }

  /// Opens a file of the source without waiting for anything it might turn out to be.
  func openSource(
    _ job: FileJob,
    in pair: DirectoryPair
  ) throws(CopyError) -> OwnedDescriptor {
    let flags: OpenFlags = [.noTerminal]
    let follows = job.followsSource
    do throws(SystemError) {
      return job.readsAnything
        ? try pair.source.open(job.sourceName, follows ? flags : flags.union(.noFollow))
        : try pair.source.openRegular(job.sourceName, flags, following: follows)
    } catch {
      switch error {
      case .noSuchFileOrDirectory where !job.readsAnything:
        throw CopyError(.status, job.sourcePath, error)
      case .tooManySymbolicLinkLevels where !job.followsSource:
        throw CopyError(.replaced, job.sourcePath)
      default: throw CopyError(.open, job.sourcePath, error)
      }
    }
  }

  func status(
    ofSource source: BorrowedDescriptor,
    _ job: FileJob
  ) throws(CopyError) -> FileStatus {
    let status: FileStatus
    do throws(SystemError) {
      status = try source.status()
    } catch {
      throw CopyError(.status, job.sourcePath, error)
    }
    let isAsExpected = job.expected.map { $0 == status.identity } ?? true
    guard isAsExpected, job.readsAnything || status.kind == .regular else {
      throw CopyError(.replaced, job.sourcePath)
    }
    return status
  }

  /// Copies an open file's bytes and what describes it, and once more in another way where the
  /// file system refuses to give the complete file its name.
  private func copyContent(
    _ job: FileJob,
    _ source: BorrowedDescriptor,
    _ status: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    var job = job
    let failures = worker.report.failures.count
    defer { worker.endAgain() }
    while let way = try copyOnce(job, source, status, in: pair, worker) {
      job.way = way
      worker.beginAgain(since: failures)
    }
  }

  /// Copies an open file's bytes and what describes it.
  ///
  /// - Returns: The way to copy it once more, where the file system refuses the one of `job`.
  private func copyOnce(
    _ job: FileJob,
    _ source: BorrowedDescriptor,
    _ status: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) -> AppearanceWay? {
    if isStopped(worker) { throw CopyError(.stopped, job.sourcePath) }
    let devices = CloneSupport.Pair(
      source: status.identity.device,
      destination: job.directory.destination.identity.device
    )
    let holeBytes = worker.report.holeBytes
    var facts = facts(of: source, status, devices)
    var plan = CopyPlan(facts)
    var target = try openTarget(job, plan.appearance, source: status, in: pair)
    // The turn to write to it may have been long in coming.
    if isStopped(worker) {
      discard(&target, in: pair)
      throw CopyError(.stopped, job.sourcePath)
    }
    if let existing = target.existing {
      facts.isOverwriting = true
      facts.hasHoles = existing.kind == .regular
      plan = CopyPlan(facts)
    }
    narrow(target, for: status)
    do throws(CopyError) {
      var files = filePair(source, target.file, status, plan)
      files.destinationHasPeer = target.existing.map { $0.kind != .regular } ?? false
      var (method, count) = (CopyMethod.attributes, Int64(0))
      var check: CopyCheck?
      if options.copiesBytes {
        if options.verifies { files.sum = ContentSum() }
        if options.dropsCache {
          files.dropper = CacheDropper(source: source, destination: target.file)
        }
        (method, count) = try transfer(files, plan, devices, job, worker)
        try finishLength(of: target, count, job)
      }
      try checkUnchanged(files, count, job, worker)
      if options.verifies && options.copiesBytes {
        let hasPassed = method == .oneShot || method == .stream || status.kind != .regular
        let sum = hasPassed ? files.sum : nil
        check = try verify(files, method, sum, over: target.existing, job)
      }
      try finishDropping(files, job)
      setMetadata(of: target, job, from: status, source, worker)
      let result = Result { () throws(CopyError) in try publish(&target, job, in: pair) }
      let isPublished = if case .success(nil) = result { true } else { false }
      if !isPublished {
        monitor.count(bytes: -count)
        worker.report.holeBytes = holeBytes
      }
      if let way = try result.get() {
        discard(&target, in: pair)
        try rewind(source, status, job)
        return way
      }
      worker.report.addFile(method, bytes: count)
      if let check { worker.report.checks[check, default: 0] += 1 }
      job.operand?.setMade()
      record(.file(method), job, bytes: count, check: check)
      return nil
    } catch {
      discard(&target, in: pair)
      throw error
    }
  }

  /// Describes both ends of a copy to its methods.
  private func filePair(
    _ source: BorrowedDescriptor,
    _ destination: BorrowedDescriptor,
    _ status: FileStatus,
    _ plan: CopyPlan
  ) -> FilePair {
    var files = FilePair(
      source: source,
      destination: destination,
      status: status,
      monitor: monitor
    )
    files.copiesPartsInKernel = plan.copiesInKernel
    files.mayReadShort = served.mayReadShort(source, on: status.identity.device)
    // The length of a generated file may be 0 whatever it holds.
    if options.toleratesChanges && status.kind == .regular
      && (status.size > 0 || keepsLengths(source))
    {
      files.limit = status.size
    }
    return files
  }

  /// Goes back to the start of a source that is to be read again.
  private func rewind(
    _ source: BorrowedDescriptor,
    _ status: FileStatus,
    _ job: FileJob
  ) throws(CopyError) {
    do throws(SystemError) {
      // The bytes of a pipe or device came once.
      if status.kind != .regular { throw .illegalSeek }
      try source.setPosition(0)
    } catch {
      throw CopyError(.rename, job.destinationPath, error)
    }
  }

  /// What the plan goes by, for a file that is not there yet.
  private func facts(
    of source: BorrowedDescriptor,
    _ status: FileStatus,
    _ devices: CloneSupport.Pair
  ) -> CopyPlan.Facts {
    var facts = CopyPlan.Facts(
      source: status,
      destinationDevice: devices.destination,
      isOverwriting: false,
      mayClone: mayClone(source, status, devices)
    )
    facts.clones = options.clones
    facts.holes = options.holes
    facts.isAtomic = options.isAtomic
    facts.isDirect = shouldBypassCache(source, status)
    // What is small takes two calls in any case.
    let isSmall = status.size <= Int64(CopyPlan.oneShotLimit) && !status.isSparse
    facts.copiesInKernel = !isSmall && KernelCopyRule.applies(to: source)
    return facts
  }

  private func finishDropping(_ files: FilePair, _ job: FileJob) throws(CopyError) {
    do throws(DataFailure) {
      try files.dropper?.finish()
    } catch {
      throw CopyError(error, job)
    }
  }

  /// Reports a source that changed while it was read, or that ended before its length.
  ///
  /// - Throws: Where the copy is no copy, because it has more bytes than its source.
  private func checkUnchanged(
    _ files: FilePair,
    _ count: Int64,
    _ job: FileJob,
    _ worker: CopyWorker
  ) throws(CopyError) {
    guard files.status.kind == .regular, options.copiesBytes else { return }
    let after: FileStatus
    do throws(SystemError) {
      after = try files.source.status()
    } catch {
      fail(CopyError(.status, job.sourcePath, error), worker)
      return
    }
    var change = SourceChange(from: files.status, to: after, count: count)
    if change == .undecided {
      if keepsTimes(files.source) {
        change = .changed
      } else if !files.destinationHasPeer, !(try agrees(files, job)) {
        // A FIFO or device does not give back the bytes that it got.
        change = .changed
      }
    }
    switch change {
    case .none, .undecided: break
    case .tooLong: throw CopyError(.tooLong, job.sourcePath)
    case .cutOff: fail(CopyError(.changed, job.sourcePath), worker)
    case .changed:
      let problem = CopyError(.changed, job.sourcePath)
      if options.toleratesChanges { warn(problem) } else { fail(problem, worker) }
    }
  }

  /// Whether a file's time of writing changes only with its bytes. Others, as those of FUSE, may be
  /// asked for a time that they make up.
  private func keepsTimes(_ file: BorrowedDescriptor) -> Bool {
    [.ext4, .xfs, .btrfs, .tmpfs].contains(FileSystemKind(of: file))
  }

  /// Whether a file holds as many bytes as its length says, as it does where its times are kept.
  private func keepsLengths(_ file: BorrowedDescriptor) -> Bool { keepsTimes(file) }
}

extension FileStatus {
  /// Whether length and time of writing are the same.
  func hasSameContent(as earlier: FileStatus) -> Bool {
    size == earlier.size && modified == earlier.modified
  }
}

extension CopyError {
  /// The failure of a transfer, named by its side.
  init(_ failure: DataFailure, _ job: FileJob) {
    let (source, destination) = (job.sourcePath, job.destinationPath)
    switch failure.side {
    case .reading: self.init(.read, source, failure.error)
    case .writing: self.init(.write, destination, failure.error)
    case .cloning: self.init(.clone, destination, other: source, failure.error)
    case .copying: self.init(.copyBytes, source, other: destination, failure.error)
    case .resizing: self.init(.setSize, destination, failure.error)
    case .stopping: self.init(.stopped, source)
    }
  }
}
