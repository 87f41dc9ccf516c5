internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// The dry run of a copy, which reports what a copy would do.
///
/// It walks the tree as a copy does. A directory that is missing at the destination is imagined: it
/// is empty, and its descriptor is one of the source.
extension CopySession {
  /// Whether a directory would have to be made.
  func imagines(
    _ job: FileJob,
    for source: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) -> Bool {
    if job.directory.isImagined { return true }
    do throws(SystemError) {
      let found = try pair.destination.status(of: job.destinationName)
      if servesAsDirectory(found, job, in: pair) { return false }
    } catch .noSuchFileOrDirectory {
      checkPlace(job, for: source, in: pair, worker)
      return true
    } catch {
      throw CopyError(.createDirectory, job.destinationPath, error)
    }
    throw CopyError(.existingNonDirectory, job.destinationPath, other: job.sourcePath)
  }

  /// Reports a directory that would be made inside itself, which the walk cannot meet.
  private func checkPlace(
    _ job: FileJob,
    for source: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    guard !job.isOnPath, job.operand != nil,
      let around = try? OperandMeeting.chain(from: ".", in: pair.destination),
      around.contains(source.identity)
    else { return }
    fail(CopyError(.intoItself, job.sourcePath, other: job.destinationPath), worker)
  }

  /// Reports what a copy would do with a source that is not a directory.
  func simulate(
    _ job: FileJob,
    kind: FileKind,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    do throws(CopyError) {
      switch options.product {
      case .hardLinks:
        try simulateLink(job, in: pair)
        worker.report.hardLinks += 1
        record(.hardLink, job)
      case .symbolicLinks:
        worker.report.symbolicLinks += 1
        record(.symbolicLink, job)
      case .copies: try simulateCopy(job, kind, in: pair, worker)
      }
      job.operand?.setMade()
    } catch {
      fail(error, worker)
    }
  }

  /// Refuses a further name where something has it and stays.
  private func simulateLink(_ job: FileJob, in pair: DirectoryPair) throws(CopyError) {
    let gives =
      job.directory.isNew || job.backup != nil || options.removesBeforeOpening
      || options.removesAfterFailedOpen || options.overwriting == .ask
    if gives || isMissing(job.destinationName, in: pair) { return }
    throw CopyError(.createHardLink, job.destinationPath, other: job.sourcePath, .fileExists)
  }

  private func simulateCopy(
    _ job: FileJob,
    _ kind: FileKind,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    let status: FileStatus
    if kind == .regular {
      // Opening changes nothing, and shows whether the file may be read.
      let source = try openSource(job, in: pair)
      status = try self.status(ofSource: source.borrowed, job)
    } else {
      do throws(SystemError) {
        status = try pair.source.status(of: job.sourceName, following: job.followsSource)
      } catch {
        throw CopyError(.status, job.sourcePath, error)
      }
    }
    if isFurtherName(job, status) {
      worker.report.hardLinks += 1
      record(.hardLink, job)
      return
    }
    switch kind {
    case .symbolicLink:
      worker.report.symbolicLinks += 1
      record(.symbolicLink, job)
    case .fifo, .socket, .characterDevice, .blockDevice:
      if job.readsAnything { return try simulateFile(job, status, in: pair, worker) }
      worker.report.specialFiles += 1
      record(.special, job)
    case .regular: try simulateFile(job, status, in: pair, worker)
    case .directory, .unknown: throw CopyError(.unknownKind, job.sourcePath)
    }
  }

  private func simulateFile(
    _ job: FileJob,
    _ status: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) {
    let isFree =
      job.directory.isNew || job.backup != nil || isMissing(job.destinationName, in: pair)
    if !isFree && !options.removesBeforeOpening {
      _ = try existing(job, source: status, in: pair)
    }
    let plan = CopyPlan(
      CopyPlan.Facts(
        source: status,
        destinationDevice: job.directory.destinationDevice,
        isOverwriting: !isFree,
        mayClone: false
      )
    )
    let method = options.copiesBytes ? plan.methods.first ?? .stream : .attributes
    worker.report.addFile(method, bytes: options.copiesBytes ? status.size : 0)
    record(.file(method), job, bytes: options.copiesBytes ? status.size : 0)
  }

  /// Whether a file would become a further name of one that is copied under another.
  private func isFurtherName(_ job: FileJob, _ status: FileStatus) -> Bool {
    guard status.links > 1, options.preserved.contains(.links) else { return false }
    return links.withLock { links in
      guard case .copy = links.claim(status.identity, links: status.links, by: job) else {
        return true
      }
      _ = links.copied(status.identity, as: job)
      return false
    }
  }
}

extension CopyDirectory {
  /// The device that files in the destination are on, or would be.
  fileprivate var destinationDevice: UInt64 {
    var current = self
    while current.isImagined, let parent = current.parent { current = parent }
    return current.destination.identity.device
  }
}
