import IOChannelsSystem

/// The contents of an existing regular file, which are compared with those of its source.
struct ExistingContents {
  let item: CopyItem
  /// The status of the existing file.
  let found: FileStatus

  init(_ item: CopyItem, _ found: FileStatus) {
    self.item = item
    self.found = found
  }

  /// Whether both files have the same bytes, as far as they can be read.
  ///
  /// If copies are verified, both are read from the disk, and the file counts as verified.
  func areEqual(to source: FileStatus) throws(CopyError) -> Bool {
    let options = item.context.options
    return try compare(with: source) { (files) throws(CopyError) in
      if options.contents.verifies && !options.isDryRun { return try verify(files) }
      return try item.equalLength(of: files) == source.size && files.dropCompared()
    }
  }

  /// Whether the file is shorter than its source and has the bytes of its start, as an interrupted
  /// copy leaves it.
  func arePartial(of source: FileStatus) throws(CopyError) -> Bool {
    guard source.kind == .regular, found.kind == .regular, found.size < source.size else {
      return false
    }
    return try compare(with: source) { (files) throws(CopyError) in
      try item.equalLength(of: files) == found.size
    }
  }

  private func verify(_ files: borrowing FilePair) throws(CopyError) -> Bool {
    do throws(CopyError) {
      let copied = (method: CopyMethod.compared, count: files.status.size)
      let check = try Verifier(item.context).verify(files, copied, over: found, item)
      if let check { item.worker.report.add(check) }
      return true
    } catch {
      // A file that cannot be verified is copied again, which reports what fails again.
      if error.problem == .stopped { throw error }
      return false
    }
  }

  /// Opens both files, which must be those that were examined, and compares them with a closure.
  private func compare(
    with source: FileStatus,
    _ body: (borrowing FilePair) throws(CopyError) -> Bool
  ) throws(CopyError) -> Bool {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    guard let file = try? directory.openRegular(name, .noTerminal, following: false),
      (try? file.borrowed.status())?.identity == found.identity,
      let original = try? item.openSource(), original.status.identity == source.identity,
      original.status.hasSameContent(as: source)
    else { return false }
    var files = FilePair(
      source: original.file,
      destination: file.borrowed,
      status: original.status,
      progress: item.worker.progress
    )
    let options = item.context.options
    // After a failed flush only the page cache may have the bytes.
    if options.durability == .everyFile && !options.isDryRun {
      try? file.borrowed.advise(.dontNeed)
    }
    if options.contents.dropsCache {
      files.dropper = CacheDropper(files, item.context.shared?.cached)
    }
    defer { try? files.dropper?.finish() }
    return try body(files)
  }
}
