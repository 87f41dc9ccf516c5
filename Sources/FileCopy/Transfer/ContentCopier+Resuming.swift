import IOChannelsEngine
import IOChannelsSystem

/// The continuation of interrupted copies.
extension ContentCopier {
  /// Waits until a later write gives the source another modification time, see ``ResumeRule``.
  func settle(_ source: borrowing SourceFile, _ item: CopyItem) {
    guard options.existing.resumes, source.status.kind == .regular else { return }
    let (status, now) = (source.status, KernelClock.wall.nanoseconds)
    // Most sources are so old that the kind of their file system does not matter.
    if ResumeRule.wait(before: status, now: now, isLocal: false) == 0 { return }
    let isLocal = FileSystemKind(of: source.file).keepsTimes
    let rest = ResumeRule.wait(before: status, now: now, isLocal: isLocal)
    if rest > 0 { item.worker.progress.wait(until: KernelClock.uptime.nanoseconds + rest) }
  }

  /// Sets the metadata of an existing file that has the contents of its source.
  ///
  /// - Returns: Nil if the source must be copied.
  func completeExisting(
    _ item: CopyItem,
    _ source: borrowing SourceFile
  ) throws(CopyError) -> Filled? {
    guard options.existing.resumes, options.contents.copiesBytes, source.status.kind == .regular,
      let target = destination.openComparable(item, for: source.status)
    else { return nil }
    settle(source, item)
    let progress = item.worker.progress
    var files = FilePair(
      source: source.file,
      destination: target.file,
      status: source.status,
      progress: progress
    )
    files.digest = options.newDigest()
    let length = source.status.size
    guard try equalLength(of: files, item) == length else { return nil }
    progress.count(bytes: length)
    do throws(CopyError) {
      var change = try reportChange(files, length, item)
      var done = Filled(method: .compared, count: length, resumed: length)
      try check(&done, files, over: target.existing, &change, item)
      metadata.describe(target, item, from: source, isDoubtful: change != .none)
      let found = try? item.pair.destination.status(of: item.job.destinationName)
      if found?.identity != target.existing?.identity {
        throw CopyError(.createFile, item.destinationPath, .staleFileHandle)
      }
      try durable?.flush(target, item)
      try durable?.flushName(of: item)
      done.digest = files.digest?.finish()
      return done
    } catch {
      if error.problem == .verification { target.outdate() }
      progress.takeBack()
      throw error
    }
  }

  /// Finds the bytes that a partial file shares with its source, and cuts off the rest.
  func continuePartial(_ files: inout FilePair, _ item: CopyItem) throws(CopyError) {
    let status = try attempt(.status, item.destinationPath, try files.destination.status())
    if status.size == 0 { return }
    let length = try equalLength(of: files, item)
    // Without a common start the checksum begins anew.
    if length == 0 && files.sum != nil { files.sum = ContentSum() }
    if length == 0 { files.digest = options.newDigest() }
    try attempt(.setSize, item.destinationPath, try files.destination.setSize(length))
    files.start = length
    files.progress.count(bytes: length)
  }

  /// Returns the number of bytes at the start of both files that are equal; 0 if one of them cannot
  /// be read, so that the file is copied.
  func equalLength(of files: FilePair, _ item: CopyItem) throws(CopyError) -> Int64 {
    do throws(DataFailure) {
      return try item.worker.withChunk { chunk throws(DataFailure) in
        try PrefixComparison(files: files).equalLength(&chunk)
      }
    } catch {
      if error.side == .stopping { throw CopyError(error, item) }
      return 0
    }
  }
}
