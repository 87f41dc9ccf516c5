import IOChannelsEngine
import IOChannelsSystem

/// The continuation of interrupted copies.
extension ContentCopier {
  /// Waits until a later write gives the source another modification time, see ``ResumeRule``.
  func settle(_ source: borrowing SourceFile, _ item: CopyItem) {
    guard source.status.kind == .regular else { return }
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
    guard options.contents.copiesBytes, source.status.kind == .regular,
      let target = destination.openComparable(item, for: source.status)
    else { return nil }
    if let found = target.existing, found.permissions & 0o022 != 0,
      MetadataChange(item, source.status, found).givesRights
    {
      return nil
    }
    settle(source, item)
    let progress = item.worker.progress
    var files = FilePair(
      source: source.file,
      destination: target.file,
      status: source.status,
      progress: progress
    )
    files.digest = options.newDigest()
    if options.contents.dropsCache {
      files.dropper = CacheDropper(files, context.shared?.cached)
    }
    // After a failed flush the kernel may keep bytes in memory that the disk does not have. No
    // later flush writes them.
    if durable != nil { try? target.file.advise(.dontNeed) }
    // The copy of a file that differs must find the source as little in memory as it was.
    defer { try? files.dropper?.finish() }
    let length = source.status.size
    guard try item.equalLength(of: files) == length, files.dropCompared() else { return nil }
    progress.count(bytes: length)
    do throws(CopyError) {
      var change = try reportChange(files, length, item)
      var done = Filled(method: .compared, count: length, resumed: length)
      if options.contents.verifies {
        try check(&done, files, over: target.existing, &change, item)
      }
      describe(target, item, from: source, isDoubtful: change != .none)
      let found = try? item.pair.destination.status(of: item.job.destinationName)
      if found?.identity != target.existing?.identity {
        throw CopyError(.createFile, item.destinationPath, .staleFileHandle)
      }
      recordCopy(target.file, item)
      try durable?.flush(target, item)
      try durable?.flushName(of: item)
      done.digest = files.digest?.finish()
      return done
    } catch {
      if error.leavesDoubt { target.outdate() }
      progress.takeBack()
      throw error
    }
  }

  /// Sets the metadata of an existing file. Its attributes can be set only if it is writable.
  private func describe(
    _ target: borrowing DestinationFile,
    _ item: CopyItem,
    from source: borrowing SourceFile,
    isDoubtful: Bool = false
  ) {
    if let existing = target.existing, existing.permissions & 0o200 == 0, !context.isSuperuser {
      metadata.narrow(target, over: existing, item, for: source.status)
    }
    metadata.describe(target, item, from: source, isDoubtful: isDoubtful)
  }

  /// Finds the bytes that a partial file shares with its source, and cuts off the rest.
  func continuePartial(_ files: inout FilePair, _ item: CopyItem) throws(CopyError) {
    let status = try attempt(.status, item.destinationPath, try files.destination.status())
    if status.size == 0 { return }
    let length = try item.equalLength(of: files)
    // Without a common start the checksum begins anew.
    if length == 0 && files.sum != nil { files.sum = ContentSum() }
    if length == 0 { files.digest = options.newDigest() }
    try attempt(.setSize, item.destinationPath, try files.destination.setSize(length))
    files.start = length
    files.progress.count(bytes: length)
  }

  /// Sets the metadata of a kept file again, because those of its source may have changed.
  ///
  /// Nothing is set if the source was written to since it was examined. The next run copies it.
  ///
  /// - Returns: False if the file would get rights and has other contents than its source, so that
  ///   it must be copied. Another process may have put it in the place of the copy.
  func renewMetadata(_ item: CopyItem, of source: FileStatus) throws(CopyError) -> Bool {
    let original = try item.openSource()
    let status = original.status
    guard status.identity == source.identity, status.hasSameContent(as: source),
      let target = destination.openComparable(item, for: status)
    else { return true }
    guard let found = target.existing, ResumeRule.mayBeComplete(found, of: status) else {
      return true
    }
    let givesRights =
      MetadataChange(item, status, found).givesRights
      || metadata.givesRights(to: target.file, from: original.file)
    if givesRights {
      // A user who may write to the file could do so after the comparison.
      if found.permissions & 0o022 != 0 || !target.file.hasNoAccessList { return false }
      let files = FilePair(
        source: original.file,
        destination: target.file,
        status: status,
        progress: item.worker.progress
      )
      if try item.equalLength(of: files) != status.size { return false }
    }
    describe(target, item, from: original)
    recordCopy(target.file, item)
    do throws(CopyError) {
      try durable?.flush(target, item)
    } catch {
      target.outdate()
      throw error
    }
    return true
  }

  /// Flushes a kept file and its name, if the flush at the end of the copy does not.
  ///
  /// No rerun keeps a file that could not be flushed. Files that their owner may neither read nor
  /// write cannot be opened, and the first of them is a failure.
  func flushKept(_ item: CopyItem, of source: FileStatus) throws(CopyError) {
    guard let durable, options.existing.resumes, durable.flushesKept(item) else { return }
    if source.kind == .regular {
      guard let file = try openKept(item) else { return }
      let found = try attempt(
        .synchronize,
        item.destinationPath,
        try file.borrowed.status()
      )
      let claim = destination.overwritten.claim(found.identity)
      let target = DestinationFile(file, existing: found, claim)
      do throws(CopyError) {
        try durable.flush(target, item)
      } catch {
        target.outdate()
        throw error
      }
    }
    try durable.flushName(of: item)
  }

  /// Opens a kept file to flush it.
  ///
  /// - Returns: Nil if the user has no access to it, and such a file was reported already.
  private func openKept(_ item: CopyItem) throws(CopyError) -> OwnedDescriptor? {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    let follows = item.job.writesThrough
    do throws(SystemError) {
      do throws(SystemError) {
        return try directory.openRegular(name, .noTerminal, following: follows)
      } catch {
        if error != .permissionDenied { throw error }
        let flags: OpenFlags = [.writeOnly, .noTerminal]
        return try directory.openRegular(name, flags, following: follows)
      }
    } catch {
      if error == .permissionDenied && !noteUnflushed() { return nil }
      throw CopyError(.synchronize, item.destinationPath, error)
    }
  }
}
