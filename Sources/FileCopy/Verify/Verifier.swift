import IOChannelsEngine
import IOChannelsSystem

/// The comparison of copies with their sources.
struct Verifier: Sendable {
  private let context: CopyContext
  private var monitor: CopyMonitor { context.monitor }

  init(_ context: CopyContext) {
    self.context = context
  }

  /// Flushes a complete copy, reads it back, and compares it with its source.
  ///
  /// If the bytes were read in their order, their checksum is known. Otherwise the source is read
  /// again, up to the end of its copy, because it may have grown.
  ///
  /// - Returns: Nil if nothing can be read back, because the copy was written to a device.
  /// - Throws: ``CopyProblem/changed`` if the source, read again, has other bytes than the copy
  ///   because it was written to.
  func verify(
    _ files: borrowing FilePair,
    _ copied: (method: CopyMethod, count: Int64),
    over existing: FileStatus?,
    _ item: CopyItem
  ) throws(CopyError) -> CopyCheck? {
    let method = copied.method
    if let existing, existing.kind != .regular { return nil }
    if method == .clone && SharedBlocks(files).areAll { return .shared }
    var isSynchronized = true
    do throws(SystemError) {
      // One call only: after an error the kernel has forgotten which pages it could not write.
      try files.destination.synchronize(dataOnly: true)
    } catch {
      // A file system that cannot flush may still read the file again.
      if !error.isRefusal { throw CopyError(.synchronize, item.destinationPath, error) }
      isSynchronized = false
    }
    context.resultObserver?.handle(.verifying(item.destinationPath))
    let reachesDisk = isSynchronized && files.destination.readFromDisk()
    let hasPassed = method == .oneShot || method == .stream || files.status.kind != .regular
    let isEqual: Bool
    var isReadAgain = false
    if hasPassed, let sum = files.sum {
      isEqual = try sum.value == self.sum(of: files.destination, item.destinationPath)
    } else {
      isReadAgain = true
      isEqual = try hasSameBytes(files, copied.count, item)
    }
    if monitor.isStopping { throw CopyError(.stopped, item.sourcePath) }
    if !isEqual {
      if isReadAgain && wasWritten(files) { throw CopyError(.changed, item.sourcePath) }
      throw CopyError(.verification, item.destinationPath, other: item.sourcePath)
    }
    return reachesDisk ? .disk : .cached
  }

  /// Whether a source, read again up to the end of its copy of `count` bytes, has the same bytes.
  ///
  /// The clone of a file that has just grown is longer than was recorded.
  private func hasSameBytes(
    _ files: borrowing FilePair,
    _ count: Int64,
    _ item: CopyItem
  ) throws(CopyError) -> Bool {
    if files.status.isSparse && !files.mayReadShort {
      return try hasSameData(files, count, item)
    }
    let found = try sum(of: files.destination, item.destinationPath)
    let end = min(max(count, found.count), files.limit)
    return try found == sum(of: files.source, upTo: end, item.sourcePath)
  }

  /// Whether the source was written to since it was opened.
  ///
  /// A file system that may invent times shows it only by the length.
  private func wasWritten(_ files: borrowing FilePair) -> Bool {
    guard let now = try? files.source.status() else { return false }
    if now.size != files.status.size { return true }
    return now.modified != files.status.modified && FileSystemKind(of: files.source).keepsTimes
  }

  /// Whether a source, read again, has the bytes of its copy; false if the copy cannot be read.
  func agrees(_ files: borrowing FilePair, _ item: CopyItem) throws(CopyError) -> Bool {
    guard let copy = try? files.destination.reopen(.readOnly) else { return false }
    // The page cache may have older bytes than a server.
    try? files.source.advise(.dontNeed)
    let source = try sum(of: files.source, item.sourcePath)
    let found = try sum(of: copy.borrowed, item.destinationPath)
    if monitor.isStopping { throw CopyError(.stopped, item.sourcePath) }
    return source == found
  }

  /// Whether a copy of `count` bytes has the length of its source, as far as that was copied, and
  /// the same bytes where one of them has data.
  ///
  /// Ranges in which both have holes are not read. A copy with few data takes as long as its data,
  /// however long it is.
  func hasSameData(
    _ files: borrowing FilePair,
    _ count: Int64,
    _ item: CopyItem
  ) throws(CopyError) -> Bool {
    let source = try attempt(.status, item.sourcePath, try files.source.status())
    let copy = try attempt(.status, item.destinationPath, try files.destination.status())
    let length = min(source.size, max(count, copy.size), files.limit)
    if copy.size != length { return false }
    let (expected, found) = (ContentSum(), ContentSum())
    var ranges = DataRanges(of: files.source, and: files.destination, length: length)
    while !monitor.isStopping, let range = ranges.next() {
      // A source that has grown has bytes behind the length.
      let part = range.clamped(to: 0..<length)
      let mayContinue = { !monitor.isStopping }
      try attempt(.read, item.sourcePath, try expected.add(files.source, part, while: mayContinue))
      try attempt(
        .read,
        item.destinationPath,
        try found.add(files.destination, part, while: mayContinue)
      )
      if found.value != expected.value { return false }
    }
    return true
  }

  private func sum(
    of file: BorrowedDescriptor,
    upTo limit: Int64 = .max,
    _ path: @autoclosure () -> BytePath
  ) throws(CopyError) -> ContentSum.Value {
    let sum = ContentSum()
    try attempt(.read, path(), try sum.add(file, 0..<limit) { !monitor.isStopping })
    return sum.value
  }
}
