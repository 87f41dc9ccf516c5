import IOChannelsSystem

extension CopySession {
  /// Copies a symbolic link as a link.
  func copySymbolicLink(_ job: FileJob, in pair: DirectoryPair, _ worker: CopyWorker) {
    looking(at: job, in: pair, worker) { (status) throws(CopyError) in
      try makeSymbolicLink(job, status, in: pair, worker)
    }
  }

  /// Makes a FIFO, socket or device anew. None of them is ever opened.
  func copySpecialFile(_ job: FileJob, in pair: DirectoryPair, _ worker: CopyWorker) {
    looking(at: job, in: pair, worker) { (status) throws(CopyError) in
      try makeSpecialFile(job, status, in: pair, worker)
    }
  }

  private func looking(
    at job: FileJob,
    in pair: DirectoryPair,
    _ worker: CopyWorker,
    _ body: (FileStatus) throws(CopyError) -> Void
  ) {
    do throws(CopyError) {
      let status = try status(of: job, in: pair)
      if let expected = job.expected, expected != status.identity {
        throw CopyError(.replaced, job.sourcePath)
      }
      try linked(job, status, in: pair, worker) { () throws(CopyError) in try body(status) }
    } catch {
      fail(error, worker)
    }
  }

  /// What has a source's name.
  func status(of job: FileJob, in pair: DirectoryPair) throws(CopyError) -> FileStatus {
    do throws(SystemError) {
      return try pair.source.status(of: job.sourceName, following: job.followsSource)
    } catch {
      throw CopyError(.status, job.sourcePath, error)
    }
  }

  func makeSymbolicLink(
    _ job: FileJob,
    _ status: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    if status.kind != .symbolicLink { throw CopyError(.replaced, job.sourcePath) }
    let target: BytePath
    do throws(SystemError) {
      target = try pair.source.target(ofLink: job.sourceName, length: Int(clamping: status.size))
    } catch {
      throw CopyError(.readSymbolicLink, job.sourcePath, error)
    }
    try making(.createSymbolicLink, job, from: status, in: pair) { (name) throws(SystemError) in
      try pair.destination.makeSymbolicLink(name, to: target)
    }
    worker.report.symbolicLinks += 1
    job.operand?.setMade()
    record(.symbolicLink, job)
    setMetadata(ofSpecial: job, from: status, in: pair, worker)
  }

  func makeSpecialFile(
    _ job: FileJob,
    _ status: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    let closed: UInt32 = options.preserved.isDisjoint(with: [.ownership, .mode]) ? 0 : 0o077
    let mode = status.mode & ~0o7777 | plainPermissions(for: status) & 0o777 & ~closed
    let problem: CopyError.Problem = status.kind == .fifo ? .createFIFO : .createSpecialFile
    try making(problem, job, from: status, in: pair) { (name) throws(SystemError) in
      try pair.destination.makeSpecialFile(
        name,
        mode: mode,
        device: status.specialDevice
      )
    }
    worker.report.specialFiles += 1
    job.operand?.setMade()
    record(.special, job)
    setMetadata(ofSpecial: job, from: status, in: pair, worker)
  }

  /// Makes something that is no regular file, in place of whatever else is no directory.
  private func making(
    _ problem: CopyError.Problem,
    _ job: FileJob,
    from source: FileStatus,
    in pair: DirectoryPair,
    _ make: (BytePath) throws(SystemError) -> Void
  ) throws(CopyError) {
    var job = job
    do throws(SystemError) {
      for _ in 1...ContestedNames.attempts {
        do throws(SystemError) {
          return try make(job.destinationName)
        } catch .fileExists {
          if try clear(&job, for: source, in: pair) { continue }
          return try replace(job, in: pair, make)
        }
      }
      throw .fileExists
    } catch {
      switch error {
      case .isDirectory: throw CopyError(.existingDirectory, job.destinationPath)
      case .staleFileHandle:
        throw CopyError(.sameFile, job.sourcePath, other: job.destinationPath)
      default: throw CopyError(problem, job.destinationPath, error)
      }
    }
  }

  /// Removes the file in the way of one that is no regular file.
  ///
  /// - Returns: False when it stays until it is replaced by a rename.
  private func clear(
    _ job: inout FileJob,
    for source: FileStatus,
    in pair: DirectoryPair
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let found = try pair.destination.status(of: job.destinationName)
      if found.kind == .directory { throw .isDirectory }
      if found.identity == source.identity { throw .staleFileHandle }
      let plan = OverwritePlan(source: source, found: found, sameFile: .proceed)
      let isRemoved =
        plan.givesWayToSpecial(options(for: job))
        || (source.kind == .symbolicLink && options.removesAfterFailedOpen)
      if !isRemoved || !mayTake(job, links: source.links, in: pair) { throw .fileExists }
      job.isContested = true
      if options.isAtomic { return false }
      try pair.destination.remove(job.destinationName)
      announceRemoval(job)
    } catch .noSuchFileOrDirectory {
      // Another process removed it first.
    }
    return true
  }
}
