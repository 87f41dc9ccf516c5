import QueueRuntime
import SystemCalls

extension CopySession {
  /// Lets a file with several names be copied once: copies it, links it, or leaves it waiting.
  ///
  /// With `hasClaim` it was this name's turn to be copied already.
  func linked(
    _ job: FileJob,
    _ status: FileStatus,
    in pair: DirectoryPair,
    hasClaim: Bool,
    _ worker: CopyWorker,
    copy: () throws(CopyError) -> Void
  ) throws(CopyError) {
    guard status.links > 1, options.preserved.contains(.links) else { return try copy() }
    if !hasClaim {
      // A name that waits keeps its directory unfinished, and may be taken up before this returns.
      job.directory.begin()
      let claim = links.withLock { $0.claim(status.identity, links: status.links, by: job) }
      if case .wait = claim { return }
      complete(job.directory, worker)
      switch claim {
      case .copy, .wait: break
      case .link(let first): return link(job, in: pair, to: first, worker)
      case .copyAlone:
        warn(CopyError(.tooManyLinks, job.sourcePath))
        return try copy()
      }
    }
    do throws(CopyError) {
      try copy()
    } catch {
      if let next = links.withLock({ $0.failed(status.identity) }) {
        worker.crew.add(.file(next, isFirstName: true))
      }
      throw error
    }
    for waiter in links.withLock({ $0.copied(status.identity, as: job) }) {
      worker.crew.add(.link(waiter, to: job))
    }
  }

  /// Gives a file that was copied under another name a further one.
  func link(_ job: FileJob, in pair: DirectoryPair, to first: FileJob, _ worker: CopyWorker) {
    do throws(Errno) {
      let place = try held.acquire(first.directory)
      defer { held.release(first.directory) }
      try makeLink(job, in: pair.destination, to: first, in: place.destination, worker)
      worker.report.hardLinks += 1
    } catch {
      switch error {
      case .tooManyLinks, .notPermitted, .notSupported, .improperLink:
        // The first name takes no more, or none at all: this one begins anew.
        restart(job, in: pair, worker)
      case .isDirectory: fail(CopyError(.directoryInTheWay, job.destinationPath), worker)
      default:
        fail(
          CopyError(.createHardLink, job.destinationPath, other: first.destinationPath, error),
          worker
        )
      }
    }
  }

  /// Links, and replaces what has the name unless it is the same file already.
  private func makeLink(
    _ job: FileJob,
    in directory: BorrowedDescriptor,
    to first: FileJob,
    in place: BorrowedDescriptor,
    _ worker: CopyWorker
  ) throws(Errno) {
    do throws(Errno) {
      try directory.link(first.destinationName, in: place, as: job.destinationName)
    } catch .fileExists {
      let found = try directory.status(of: job.destinationName)
      if found.kind == .directory { throw .isDirectory }
      if try place.status(of: first.destinationName).identity == found.identity { return }
      let temporary = temporaryName()
      try directory.link(first.destinationName, in: place, as: temporary)
      do throws(Errno) {
        try directory.rename(temporary, to: job.destinationName, replacing: true)
      } catch {
        try? directory.remove(temporary)
        throw error
      }
    }
  }

  /// Copies a file that could not be linked; its further names are linked to this one.
  private func restart(_ job: FileJob, in pair: DirectoryPair, _ worker: CopyWorker) {
    guard let status = try? pair.source.status(of: job.sourceName, following: job.followsSource)
    else { return fail(CopyError(.status, job.sourcePath, .noSuchFileOrDirectory), worker) }
    switch status.kind {
    case .regular: copyFile(job, in: pair, hasClaim: true, worker)
    case .symbolicLink: makeSymbolicLink(job, status, in: pair, worker)
    default: makeSpecialFile(job, status, in: pair, worker)
    }
  }
}
