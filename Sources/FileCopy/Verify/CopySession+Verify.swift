import SystemCalls

extension CopySession {
  /// File systems that have no disk behind the page cache: tmpfs and ramfs.
  private static let memoryFileSystems: [UInt32] = [0x0102_1994, 0x8584_58f6]

  /// Compares a complete copy with its source.
  ///
  /// - Parameter sum: What passed by while the file was copied; nil where the kernel copied it, and
  ///   the source is read once more.
  /// - Returns: Nil where there is nothing to read again, because a device was written to.
  func verify(
    _ ends: CopyEnds,
    _ method: CopyMethod,
    _ sum: ContentSum?,
    over existing: FileStatus?,
    _ job: FileJob
  ) throws(CopyError) -> CopyCheck? {
    if let existing, existing.kind != .regular { return nil }
    if method == .clone && ends.sharesAllBlocks { return .shared }
    do throws(Errno) {
      // Asked once: after a failure the kernel has forgotten what it could not write.
      try ends.destination.synchronize(dataOnly: true)
    } catch {
      throw CopyError(.synchronize, job.destinationPath, error)
    }
    if let observer = options.observer, observer.hearsCopies {
      observer.handle(.verifying(job.destinationPath))
    }
    let reachesDisk = passesCache(ends.destination)
    let expected: ContentSum.Value
    if let sum {
      expected = sum.value
    } else {
      expected = try self.sum(of: ends.source, job.sourcePath)
    }
    let found = try self.sum(of: ends.destination, job.destinationPath)
    if monitor.isStopping { throw CopyError(.stopped, job.sourcePath) }
    if found != expected {
      throw CopyError(.verification, job.destinationPath, other: job.sourcePath)
    }
    return reachesDisk ? .disk : .cached
  }

  private func sum(
    of file: BorrowedDescriptor,
    _ path: FilePath
  ) throws(CopyError) -> ContentSum.Value {
    do throws(Errno) {
      let sum = ContentSum()
      try sum.add(file) { !monitor.isStopping }
      return sum.value
    } catch {
      throw CopyError(.read, path, error)
    }
  }

  /// Takes what was written out of the page cache and has reads pass it.
  ///
  /// - Returns: Whether reads reach the disk.
  private func passesCache(_ file: BorrowedDescriptor) -> Bool {
    do throws(Errno) {
      try file.forgetPages()
      let isInMemory = try CopySession.memoryFileSystems.contains(file.fileSystemMagic())
      if isInMemory { return false }
      try file.setStatusFlags(file.statusFlags().union(.direct))
      return true
    } catch {
      return false
    }
  }
}

extension CopyEnds {
  /// Whether both files lie in the same places of the disk; false where that cannot be told.
  var sharesAllBlocks: Bool {
    var offset: Int64 = 0
    while offset < status.size {
      guard let below = try? source.extents(from: offset),
        let above = try? destination.extents(from: offset),
        let last = below.last
      else { return false }
      // Beyond the last extent there is a hole, in both.
      let count = min(below.count, above.count)
      guard count > 0, below.prefix(count).elementsEqual(above.prefix(count), by: isSame) else {
        return false
      }
      if last.isLast { return below.count == above.count }
      let end = below[count - 1].offset + below[count - 1].length
      if end <= offset { return false }
      offset = end
    }
    return true
  }

  private func isSame(_ one: FileExtent, _ other: FileExtent) -> Bool {
    one.offset == other.offset && one.place == other.place && one.length == other.length
      && other.isShared && !one.isUnplaced && !other.isUnplaced
  }
}
