import IOChannelsEngine
import IOChannelsSystem
import Synchronization

/// The copier of regular files: contents, metadata, verification and name.
final class ContentCopier: Sendable {
  let options: CopyOptions
  let context: CopyContext
  let destination: DestinationFiles
  private let transfer: ContentTransfer
  let metadata: MetadataWriter
  let verifier: Verifier
  let durable: DurableFiles?
  private let hasUnflushedFiles = Atomic<Bool>(false)

  init(
    _ context: CopyContext,
    _ destination: DestinationFiles,
    _ transfer: ContentTransfer,
    _ metadata: MetadataWriter
  ) {
    self.context = context
    self.destination = destination
    self.transfer = transfer
    self.metadata = metadata
    options = context.options
    verifier = Verifier(context)
    durable = DurableFiles(context)
  }

  /// Records that a kept file cannot be opened to flush it.
  ///
  /// - Returns: True for the first call, whose caller reports the file.
  func noteUnflushed() -> Bool { !hasUnflushedFiles.exchange(true, ordering: .relaxed) }

  /// Copies an open file.
  ///
  /// Where the file system refuses to give the complete file its name, the file is copied again in
  /// another way. Where another process changed the destination's name, the source is opened and
  /// copied again.
  func copy(_ item: CopyItem, from source: borrowing SourceFile) throws(CopyError) {
    let failures = item.worker.report.failureCount
    do throws(CopyError) {
      try copyInSomeWay(item, source)
    } catch {
      let (status, file) = (source.status, source.status.identity)
      try copyAgain(item, status, of: file, after: error, since: failures)
    }
  }

  /// Opens and copies a file, which must be the given one.
  func copy(_ item: CopyItem, of file: FileIdentity) throws(CopyError) {
    let failures = item.worker.report.failureCount
    do throws(CopyError) {
      try openAndCopy(item, of: file)
    } catch {
      try copyAgain(item, try item.sourceStatus(), of: file, after: error, since: failures)
    }
  }

  private func openAndCopy(_ item: CopyItem, of file: FileIdentity) throws(CopyError) {
    let source = try item.openSource()
    if source.status.identity != file { throw CopyError(.replaced, item.sourcePath) }
    try copyInSomeWay(item, source)
  }

  /// Copies a regular file again where another process changed the destination's name during the
  /// copy, which ended with `failure`.
  ///
  /// The failures from the one with the number `failures` on are not reported again.
  ///
  /// - Throws: A failure that has another cause.
  private func copyAgain(
    _ item: CopyItem,
    _ source: FileStatus,
    of file: FileIdentity,
    after failure: CopyError,
    since failures: Int
  ) throws(CopyError) {
    var (item, failure) = (item, failure)
    defer { item.worker.endAgain() }
    for _ in 1...ContestedNames.attempts {
      guard source.kind == .regular, ContestedNames.explain(failure, of: item),
        item.mayTake(links: source.links)
      else { throw failure }
      item.job.isContested = true
      item.worker.beginAgain(since: failures)
      do throws(CopyError) {
        return try openAndCopy(item, of: file)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Copies an open file in the best way that the file system does not refuse.
  private func copyInSomeWay(
    _ item: CopyItem,
    _ source: borrowing SourceFile
  ) throws(CopyError) {
    let failures = item.worker.report.failureCount
    guard var way = try copyOnce(item, source) else { return }
    defer { item.worker.endAgain() }
    var again = item
    repeat {
      again.job.way = way
      item.worker.beginAgain(since: failures)
      guard let next = try copyOnce(again, source) else { return }
      way = next
    } while true
  }

  /// Copies an open file.
  ///
  /// - Returns: The way to copy it again, if the file system refuses the way of the item.
  private func copyOnce(
    _ item: CopyItem,
    _ source: borrowing SourceFile
  ) throws(CopyError) -> AppearanceWay? {
    if item.worker.isStopped { throw CopyError(.stopped, item.sourcePath) }
    let number: UInt64? = options.countsAhead ? context.monitor.shared.begin(item.job) : nil
    defer {
      if let number { context.monitor.shared.end(number) }
    }
    let (progress, holeBytes) = (item.worker.progress, item.worker.report.holeByteCount)
    progress.begin()
    if context.earlier != nil, try linkEarlier(item, source) { return nil }
    if options.existing.resumes, let done = try completeExisting(item, source) {
      note(done, item)
      return nil
    }
    let systems = item.systems(ofDevice: source.status.identity.device)
    var facts = transfer.facts(of: source, on: systems, item.job.way)
    var plan = CopyPlan(facts)
    var target = try destination.open(item, plan.appearance, for: source.status)
    do throws(CopyError) {
      // The wait for a file that is overwritten may have been long.
      if item.worker.isStopped { throw CopyError(.stopped, item.sourcePath) }
      if let existing = target.existing {
        facts.isOverwriting = !target.isEmptied
        facts.hasHoles = existing.kind == .regular
        // A link or a mount leads to another file system, whose refusal does not concern this one.
        if existing.identity.device != item.destinationSystem.device { facts.mayClone = false }
        plan = CopyPlan(facts)
        metadata.narrow(target, over: existing, item, for: source.status)
      }
      guard let done = try fill(target, item, source, plan) else {
        target.discard(item)
        return .linked
      }
      try durable?.flush(target, item)
      recordCopy(target.file, item)
      let result = Result { () throws(CopyError) in try destination.publish(&target, item) }
      let isPublished = if case .success(nil) = result { true } else { false }
      if !isPublished {
        progress.takeBack()
        item.worker.report.holeByteCount = holeBytes
      }
      if let way = try result.get() {
        target.discard(item)
        try rewind(source, item)
        return way
      }
      // A complete file stays even if its name cannot be flushed.
      target.name = .kept
      try durable?.flushName(of: item)
      note(done, item)
      return nil
    } catch {
      if mayEmpty(target, item, after: error), (try? rewind(source, item)) != nil {
        item.worker.report.holeByteCount = holeBytes
        return .emptied
      }
      // An emptied file is as new as its last change, and would be taken for a newer copy.
      let isDoubtful = options.contents.copiesBytes && error.leavesDoubt
      if isDoubtful || target.isEmptied { target.outdate() }
      target.discard(item, isStopped: error.problem == .stopped)
      progress.takeBack()
      item.worker.report.holeByteCount = holeBytes
      throw error
    }
  }

  /// Records the complete copy of a file with several names, to which further names are linked.
  func recordCopy(_ file: BorrowedDescriptor, _ item: CopyItem) {
    guard let copy = item.job.linkedFile?.copy, let found = try? file.status() else { return }
    copy.record(found)
  }

  /// The result of a transfer.
  struct Filled {
    var method = CopyMethod.attributes
    var count: Int64 = 0
    /// The number of bytes that were compared and not copied.
    var resumed: Int64 = 0
    var check: CopyCheck?
    /// The checksum for the manifest, if the copy is a regular file that is listed.
    var digest: [UInt8]?
  }

  /// Counts and reports a file that is complete.
  private func note(_ done: Filled, _ item: CopyItem) {
    item.worker.report.addResumed(bytes: done.resumed)
    item.noteCreated(.file(done.method), bytes: done.count, check: done.check)
    if let digest = done.digest { context.manifest?.add(digest, of: item) }
  }

  /// Copies contents and metadata, and verifies the contents.
  ///
  /// - Returns: Nil if the file has its name only for a clone, which was refused.
  private func fill(
    _ target: borrowing DestinationFile,
    _ item: CopyItem,
    _ source: borrowing SourceFile,
    _ plan: CopyPlan
  ) throws(CopyError) -> Filled? {
    if options.existing.resumes { settle(source, item) }
    var files = transfer.filePair(source, target, plan, item)
    if let manifest = options.manifest, files.digest == nil {
      throw CopyError(.manifest, manifest.path, .noMemory)
    }
    if target.isPartial { try continuePartial(&files, item) }
    var done = Filled(resumed: files.start)
    if options.contents.copiesBytes {
      guard let copied = try transfer.copy(files, plan, item) else { return nil }
      (done.method, done.count) = copied
      if target.existing != nil { try target.finishLength(done.count, item) }
    }
    var change = try reportChange(files, done.count, item)
    if options.contents.copiesBytes && options.contents.verifies {
      try check(&done, files, over: target.existing, &change, item)
    }
    do throws(DataFailure) {
      try files.pacing?.finish()
      try files.dropper?.finish()
    } catch {
      throw CopyError(error, item)
    }
    metadata.describe(target, item, from: source, isDoubtful: change != .none)
    if target.existing != nil { try flushDevice(target, item) }
    // A FIFO or device does not keep its bytes.
    if !files.destinationHasPeer && options.contents.copiesBytes {
      done.digest = files.digest?.finish()
    }
    return done
  }

  /// Flushes a block device that was written to, which belongs to no file system.
  private func flushDevice(
    _ target: borrowing DestinationFile,
    _ item: CopyItem
  ) throws(CopyError) {
    guard context.fileSystems != nil, target.existing?.kind == .blockDevice else { return }
    let file = target.file
    try attempt(.synchronize, item.destinationPath, try file.synchronize(dataOnly: false))
  }

  /// Whether an existing file refused its first bytes, as some file systems refuse those of each
  /// file that was not emptied when it was opened.
  ///
  /// It has its former mode then, with which it can be opened again.
  private func mayEmpty(
    _ target: borrowing DestinationFile,
    _ item: CopyItem,
    after failure: CopyError
  ) -> Bool {
    guard let existing = target.existing, destination.mayEmpty(existing),
      item.job.way < .emptied, item.worker.progress.isAtStart,
      failure.problem == .write || failure.problem == .setSize,
      failure.path == item.destinationPath, failure.error?.isRefusal ?? false
    else { return false }
    if options.metadata.preserved.contains(.mode) && !destination.ignoresPermissions {
      try? target.file.setPermissions(existing.permissions)
    }
    return true
  }

  /// Sets the position of a source that is read again to the start.
  private func rewind(_ source: borrowing SourceFile, _ item: CopyItem) throws(CopyError) {
    let path = item.destinationPath
    // The bytes of a pipe or device can be read only once.
    if source.status.kind != .regular { throw CopyError(.rename, path, .illegalSeek) }
    try attempt(.rename, path, try source.file.setPosition(0))
  }

  /// A report about a source that may have changed while it was read.
  enum ReportedChange {
    /// The source did not change.
    case none
    /// The change was reported as a warning, or is unknown because of a failure.
    case tolerated
    /// The change was reported as a failure.
    case failed
  }

  /// Reports a source that changed while it was read, or that ended before its length.
  ///
  /// - Throws: An error if the copy has more bytes than its source.
  func reportChange(
    _ files: borrowing FilePair,
    _ count: Int64,
    _ item: CopyItem
  ) throws(CopyError) -> ReportedChange {
    guard files.status.kind == .regular, options.contents.copiesBytes else { return .none }
    let after: FileStatus
    do throws(SystemError) {
      after = try files.source.status()
    } catch {
      item.fail(CopyError(.status, item.sourcePath, error))
      return .tolerated
    }
    var change = SourceChange(from: files.status, to: after, count: count)
    if change == .undecided {
      if FileSystemKind(of: files.source).keepsTimes {
        change = .changed
      } else if !files.destinationHasPeer, !(try verifier.agrees(files, item)) {
        // A FIFO or device does not return the bytes that were written to it.
        change = .changed
      }
    }
    switch change {
    case .none, .undecided: return .none
    case .tooLong: throw CopyError(.tooLong, item.sourcePath)
    case .cutOff: item.fail(CopyError(.changed, item.sourcePath))
    case .changed: return report(CopyError(.changed, item.sourcePath), item)
    }
    return .failed
  }

  /// Reports a source that changed, as a warning if changes are tolerated.
  private func report(_ change: CopyError, _ item: CopyItem) -> ReportedChange {
    if options.contents.toleratesChanges {
      context.warn(change)
      return .tolerated
    }
    item.fail(change)
    return .failed
  }

  /// Verifies a copy.
  ///
  /// A source that is read again and has other bytes by now is reported once.
  func check(
    _ done: inout Filled,
    _ files: borrowing FilePair,
    over existing: FileStatus?,
    _ change: inout ReportedChange,
    _ item: CopyItem
  ) throws(CopyError) {
    do throws(CopyError) {
      let copied = (method: done.method, count: done.count)
      done.check = try verifier.verify(files, copied, over: existing, item)
    } catch {
      // The copy need not be wrong.
      guard error.problem == .changed else { throw error }
      if change == .none { change = report(error, item) }
    }
  }
}
