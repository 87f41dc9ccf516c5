import IOChannelsSystem

extension CopySession {
  /// File systems that have no disk behind the page cache: tmpfs and ramfs.
  private static let memoryFileSystems: [UInt32] = [0x0102_1994, 0x8584_58f6]

  /// Compares a complete copy with its source, of which `sum` passed by while the file was copied;
  /// where the kernel copied it there is none, and the source is read once more.
  ///
  /// The answer is nil where there is nothing to read again, because a device was written to.
  func verify(
    _ files: FilePair,
    _ method: CopyMethod,
    _ sum: ContentSum?,
    over existing: FileStatus?,
    _ job: FileJob
  ) throws(CopyError) -> CopyCheck? {
    if let existing, existing.kind != .regular { return nil }
    if method == .clone && files.sharesAllBlocks { return .shared }
    var isSynchronized = true
    do throws(SystemError) {
      // Asked once: after a failure the kernel has forgotten what it could not write.
      try files.destination.synchronize(dataOnly: true)
    } catch {
      // A file system that syncs nothing may still be read again.
      if !error.isRefusal { throw CopyError(.synchronize, job.destinationPath, error) }
      isSynchronized = false
    }
    if let observer = options.observer, observer.observesResults {
      observer.handle(.verifying(job.destinationPath))
    }
    let reachesDisk = isSynchronized && bypassCache(files.destination)
    let expected: ContentSum.Value
    if let sum {
      expected = sum.value
    } else {
      expected = try self.sum(of: files.source, upTo: files.limit, job.sourcePath)
    }
    let found = try self.sum(of: files.destination, job.destinationPath)
    if monitor.isStopping { throw CopyError(.stopped, job.sourcePath) }
    if found != expected {
      throw CopyError(.verification, job.destinationPath, other: job.sourcePath)
    }
    return reachesDisk ? .disk : .cached
  }

  private func sum(
    of file: BorrowedDescriptor,
    upTo limit: Int64 = .max,
    _ path: BytePath
  ) throws(CopyError) -> ContentSum.Value {
    do throws(SystemError) {
      let sum = ContentSum()
      try sum.add(file, upTo: limit) { !monitor.isStopping }
      return sum.value
    } catch {
      throw CopyError(.read, path, error)
    }
  }

  /// Whether a source still holds the bytes of its copy, read once more.
  ///
  /// - Returns: False where the copy cannot be read.
  func agrees(_ files: FilePair, _ job: FileJob) throws(CopyError) -> Bool {
    guard let copy = try? files.destination.reopen(.readOnly) else { return false }
    // Bytes in memory may be older than those that a server has.
    try? files.source.advise(.dontNeed)
    let source = try sum(of: files.source, job.sourcePath)
    let found = try sum(of: copy.borrowed, job.destinationPath)
    if monitor.isStopping { throw CopyError(.stopped, job.sourcePath) }
    return source == found
  }

  /// Drops a file's pages from the page cache and makes reads bypass it.
  ///
  /// - Returns: Whether reads reach the disk.
  private func bypassCache(_ file: BorrowedDescriptor) -> Bool {
    do throws(SystemError) {
      try file.advise(.dontNeed)
      let isInMemory = try CopySession.memoryFileSystems.contains(file.fileSystemMagic())
      if isInMemory { return false }
      try file.setStatusFlags(file.statusFlags().union(.direct))
      return true
    } catch {
      return false
    }
  }
}

extension FilePair {
  /// Whether both files lie in the same places of the disk; false where that cannot be told.
  ///
  /// What was set aside and never written does not count: it reads as zeros, as holes do.
  var sharesAllBlocks: Bool {
    var offset: Int64 = 0
    while offset < status.size {
      guard let below = try? source.extents(from: offset),
        let above = try? destination.extents(from: offset)
      else { return false }
      let (left, right) = (inside(below), inside(above))
      let count = min(left.count, right.count)
      guard left.prefix(count).elementsEqual(right.prefix(count), by: isSame) else { return false }
      if isEnd(below) && isEnd(above) { return left.count == right.count }
      guard count > 0, left[count - 1].offset + left[count - 1].length > offset else {
        return false
      }
      offset = left[count - 1].offset + left[count - 1].length
    }
    return true
  }

  private func inside(_ extents: [FileExtent]) -> [FileExtent] {
    extents.filter { $0.offset < status.size && !$0.isUnwritten }
  }

  /// Whether nothing inside the file follows.
  private func isEnd(_ extents: [FileExtent]) -> Bool {
    guard let last = extents.last else { return true }
    return last.isLast || last.offset >= status.size
  }

  private func isSame(_ one: FileExtent, _ other: FileExtent) -> Bool {
    let room = status.size - one.offset
    return one.offset == other.offset && one.place == other.place
      && min(one.length, room) == min(other.length, room)
      && other.isShared && !one.isUnplaced && !other.isUnplaced
  }
}
