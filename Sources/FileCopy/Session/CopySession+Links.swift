internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

extension CopySession {
  /// Lets a file with several names be copied once: copies it, links it, or leaves it waiting.
  func linked(
    _ job: FileJob,
    _ status: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker,
    copy: () throws(CopyError) -> Void
  ) throws(CopyError) {
    // Links that are followed are further names, and nobody knows how many there are.
    let isFollowed = options(for: job).following != .nothing
    guard status.links > 1 || isFollowed, options.preserved.contains(.links) else {
      return try copy()
    }
    let names = isFollowed ? UInt64.max : status.links
    var job = job
    job.linkedFile = LinkedFile(identity: status.identity, names: names)
    // A name that waits keeps its directory unfinished, and may be taken up before this returns.
    job.directory.begin()
    let claim = links.withLock { [job] in $0.claim(status.identity, links: names, by: job) }
    if case .wait = claim { return }
    complete(job.directory, worker)
    switch claim {
    case .copy, .wait: try settle(job, status.identity, status.kind, worker, copy: copy)
    case .link(let first): link(job, in: pair, to: first, worker)
    case .copyAlone:
      if status.links > 1 { warn(CopyError(.tooManyLinks, job.sourcePath)) }
      try copy()
    }
  }

  /// Copies a file under a name whose turn it is.
  func takeTurn(
    _ job: FileJob,
    _ file: FileIdentity,
    _ kind: FileKind,
    _ worker: CopyWorker
  ) {
    do throws(CopyError) {
      // A directory that cannot be opened again fails this name, not those that wait for it.
      try settle(job, file, kind, worker) { () throws(CopyError) in
        try held.withPair(of: job.directory) { (pair) throws(CopyError) in
          do throws(CopyError) {
            try copy(job, file, kind, in: pair, worker)
          } catch {
            undoBackup(job, in: pair)
            throw error
          }
        }
      }
    } catch {
      fail(error, worker)
    }
  }

  /// Copies a file and tells those that wait for it, or passes the turn on.
  private func settle(
    _ job: FileJob,
    _ file: FileIdentity,
    _ kind: FileKind,
    _ worker: CopyWorker,
    copy: () throws(CopyError) -> Void
  ) throws(CopyError) {
    do throws(CopyError) {
      try copy()
    } catch {
      if let next = links.withLock({ $0.failed(file) }) {
        worker.crew.add(.firstName(next, file, kind))
      }
      throw error
    }
    for waiter in links.withLock({ $0.copied(file, as: job) }) {
      worker.crew.add(.link(waiter, to: job))
    }
  }

  /// Copies a file of a known kind, whatever other names it has, unless what is there is kept.
  private func copy(
    _ job: FileJob,
    _ file: FileIdentity,
    _ kind: FileKind,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    if job.isKept { return }
    if kind == .regular || (job.readsAnything && kind != .symbolicLink) {
      return try copyContent(job, of: file, in: pair, worker)
    }
    let status = try status(of: job, in: pair)
    if status.identity != file { throw CopyError(.replaced, job.sourcePath) }
    if kind == .symbolicLink {
      try makeSymbolicLink(job, status, in: pair, worker)
    } else {
      try makeSpecialFile(job, status, in: pair, worker)
    }
  }

  /// Gives a file that was copied under another name a further one.
  func link(_ job: FileJob, in pair: DirectoryPair, to first: FileJob, _ worker: CopyWorker) {
    do throws(SystemError) {
      let place = try held.acquire(first.directory)
      defer { held.release(first.directory) }
      let isContested = try makeLink(job, in: pair, to: first, in: place.destination)
      worker.report.hardLinks += 1
      job.operand?.setMade()
      record(.hardLink, job)
      addLink(job, to: first, isContested: isContested, worker)
    } catch {
      // The first name takes no more links, or none at all: this one begins anew.
      if error.isRefusal { return restart(job, in: pair, worker) }
      switch error {
      case .noSuchFileOrDirectory:
        // Another process removed the first name, and may create it again.
        restart(job, in: pair, worker, rejoining: first)
      case .isDirectory: fail(CopyError(.existingDirectory, job.destinationPath), worker)
      default:
        undoBackup(job, in: pair)
        fail(
          CopyError(.createHardLink, job.destinationPath, other: first.destinationPath, error),
          worker
        )
      }
    }
  }

  /// Links, and replaces what has the name unless it is the same file already.
  ///
  /// - Returns: Whether another file had the name, see ``addLink(_:to:isContested:_:)``.
  private func makeLink(
    _ job: FileJob,
    in pair: DirectoryPair,
    to first: FileJob,
    in place: BorrowedDescriptor
  ) throws(SystemError) -> Bool {
    let directory = pair.destination
    var job = job
    // What had the name was removed, or got another one, before this copy began with it.
    let isReplaced = !job.isUnseen && (options.removesBeforeOpening || job.backup != nil)
    for _ in 1...ContestedNames.linkAttempts {
      do throws(SystemError) {
        try directory.link(first.destinationName, in: place, as: job.destinationName)
        return isReplaced
      } catch .fileExists {
        // It is looked at below.
      }
      do throws(SystemError) {
        let found = try directory.status(of: job.destinationName)
        if found.kind == .directory { throw .isDirectory }
        let linked = try place.status(of: first.destinationName)
        if linked.identity == found.identity { return isReplaced }
        if !mayTake(job, links: .max, in: pair) { throw .fileExists }
        job.isContested = true
        try replace(job, in: pair) { name throws(SystemError) in
          try directory.link(first.destinationName, in: place, as: name)
        }
        return true
      } catch .noSuchFileOrDirectory {
        // One of the names was removed meanwhile.
      }
    }
    throw .fileExists
  }

  /// Copies a file that could not be linked; its further names are linked to this one.
  ///
  /// Where the name `first` is there again, its file takes the place of the copy.
  private func restart(
    _ job: FileJob,
    in pair: DirectoryPair,
    _ worker: CopyWorker,
    rejoining first: FileJob? = nil
  ) {
    do throws(CopyError) {
      let status: FileStatus
      do throws(SystemError) {
        status = try pair.source.status(of: job.sourceName, following: job.followsSource)
      } catch {
        throw CopyError(.status, job.sourcePath, error)
      }
      let (file, kind) = (status.identity, status.kind)
      if first == nil, let group = linkGroups.withLock({ $0.remove(file) }) {
        uniteLinks(group, worker)
      }
      try settle(job, file, kind, worker) { () throws(CopyError) in
        try copy(job, file, kind, in: pair, worker)
        if let first { try rejoin(job, in: pair, to: first, worker) }
      }
    } catch {
      undoBackup(job, in: pair)
      fail(error, worker)
    }
  }

  private func rejoin(
    _ job: FileJob,
    in pair: DirectoryPair,
    to first: FileJob,
    _ worker: CopyWorker
  ) throws(CopyError) {
    do throws(SystemError) {
      let place = try held.acquire(first.directory)
      defer { held.release(first.directory) }
      _ = try makeLink(job, in: pair, to: first, in: place.destination)
    } catch .noSuchFileOrDirectory {
      // A process that creates the first name again links this one to it.
    } catch {
      throw CopyError(.createHardLink, job.destinationPath, other: first.destinationPath, error)
    }
    addLink(job, to: first, isContested: true, worker)
  }
}
