import IOChannelsSystem

/// The copier of symbolic links, which are copied as links, and of FIFOs, sockets and devices,
/// which are created anew.
///
/// None of them is ever opened.
struct SpecialFileCopier: Sendable {
  let context: CopyContext
  let hidden: HiddenFiles
  private let metadata: MetadataWriter

  init(_ context: CopyContext, _ hidden: HiddenFiles, _ metadata: MetadataWriter) {
    self.context = context
    self.hidden = hidden
    self.metadata = metadata
  }

  /// A way to create a file that is not regular.
  private struct Creation {
    /// The problem of a failure.
    let problem: CopyProblem
    /// A closure that creates the file under a name in a directory.
    let make: (BorrowedDescriptor, BytePath) throws(SystemError) -> Void
  }

  /// Copies a symbolic link or a special file, of which `kind` is the kind when its name was read.
  func copy(_ item: CopyItem, _ status: FileStatus, _ kind: FileKind) throws(CopyError) {
    let isLink = kind == .symbolicLink
    let creation =
      isLink ? try linkCreation(item, status) : try specialFileCreation(item, status)
    do throws(SystemError) {
      if !isLink && metadata.needsEnclosure(item) {
        try createEnclosed(item, from: status, creation.make)
        item.noteCreated(.special)
        return
      }
      let directory = item.pair.destination
      let make = { (name: BytePath) throws(SystemError) in try creation.make(directory, name) }
      try create(item, from: status, make) { (item) throws(SystemError) in
        try hidden.replace(item, make)
      }
      item.noteCreated(isLink ? .symbolicLink : .special)
      if !metadata.describeSpecial(item, from: status) {
        try createAgain(item, from: status, make)
      }
    } catch {
      switch error {
      case .isDirectory: throw item.existingDirectoryError
      case .staleFileHandle:
        throw CopyError(.sameFile, item.sourcePath, other: item.destinationPath)
      default: throw CopyError(creation.problem, item.destinationPath, error)
      }
    }
  }

  private func linkCreation(
    _ item: CopyItem,
    _ status: FileStatus
  ) throws(CopyError) -> Creation {
    if status.kind != .symbolicLink { throw CopyError(.replaced, item.sourcePath) }
    let (name, pair) = (item.job.sourceName, item.pair)
    let target = try attempt(
      .readSymbolicLink,
      item.sourcePath,
      try pair.source.target(ofLink: name, length: Int(clamping: status.size))
    )
    return Creation(problem: .createSymbolicLink) { (directory, name) throws(SystemError) in
      try directory.makeSymbolicLink(name, to: target)
    }
  }

  private func specialFileCreation(
    _ item: CopyItem,
    _ status: FileStatus
  ) throws(CopyError) -> Creation {
    switch status.kind {
    case .fifo, .socket, .characterDevice, .blockDevice: break
    case .regular, .directory, .symbolicLink, .unknown:
      throw CopyError(.replaced, item.sourcePath)
    }
    let mode = context.modes.specialMode(for: status)
    let problem: CopyProblem = status.kind == .fifo ? .createFIFO : .createSpecialFile
    return Creation(problem: problem) { (directory, name) throws(SystemError) in
      try directory.makeSpecialFile(name, mode: mode, device: status.specialDevice)
    }
  }

  /// Creates a special file where other users may rename names in the directory.
  ///
  /// The file gets its rights in a hidden directory of this user, as a handle of its name in that
  /// directory is certainly its own. Then it is renamed.
  private func createEnclosed(
    _ item: CopyItem,
    from source: FileStatus,
    _ make: (BorrowedDescriptor, BytePath) throws(SystemError) -> Void
  ) throws(SystemError) {
    try hidden.withEnclosure(item) { (enclosure, name) throws(SystemError) in
      try make(enclosure, name)
      _ = metadata.describeSpecial(item, as: (enclosure, name), from: source)
      let directory = item.pair.destination
      let rename = { (final: BytePath) throws(SystemError) in
        try hidden.rename(name, of: enclosure, to: final, in: directory)
      }
      try create(item, from: source, rename) { (item) throws(SystemError) in
        try enclosure.rename(name, to: item.job.destinationName, in: directory, replacing: true)
      }
    }
  }

  /// Creates a file that is not regular by a closure, and removes the existing one, or replaces it
  /// by another closure.
  private func create(
    _ item: CopyItem,
    from source: FileStatus,
    _ make: (BytePath) throws(SystemError) -> Void,
    replace: (CopyItem) throws(SystemError) -> Void
  ) throws(SystemError) {
    var item = item
    for _ in 1...ContestedNames.attempts {
      do throws(SystemError) {
        return try make(item.job.destinationName)
      } catch .fileExists {
        if try removeExisting(&item, for: source) { continue }
        return try replace(item)
      }
    }
    // A name whose file this copy removed must get one. A rename succeeds whatever the others do.
    guard item.job.isContested else { throw .fileExists }
    try replace(item)
  }

  /// Creates a file whose name another process removed before it was described.
  ///
  /// Another copy that has removed the name may take long to create its own file, or may wait for
  /// this copy under a further name. It is not waited for.
  private func createAgain(
    _ item: CopyItem,
    from source: FileStatus,
    _ make: (BytePath) throws(SystemError) -> Void
  ) throws(SystemError) {
    do throws(SystemError) {
      try hidden.createAgain(item, make) { hiddenName in
        let place = (item.pair.destination, hiddenName)
        _ = metadata.describeSpecial(item, as: place, from: source)
      }
    } catch .fileExists {
      // The other process has created its file. If that is gone again, the name is left to it.
      _ = metadata.describeSpecial(item, from: source)
    }
  }

  /// Removes the existing file.
  ///
  /// - Returns: False if it stays until it is replaced by a rename.
  private func removeExisting(
    _ item: inout CopyItem,
    for source: FileStatus
  ) throws(SystemError) -> Bool {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    let options = context.overwriteOptions(for: item.job)
    do throws(SystemError) {
      let found = try directory.status(of: name)
      if found.kind == .directory { throw .isDirectory }
      if found.identity == source.identity { throw .staleFileHandle }
      let plan = OverwritePlan(source: source, found: found, sameFile: .proceed)
      let isRemoved =
        plan.isRemovedForSpecialFile(options)
        || (source.kind == .symbolicLink && options.removesAfterFailedOpen)
      if !isRemoved || !item.mayTake(links: source.links) { throw .fileExists }
      item.job.isContested = true
      if options.isAtomic { return false }
      try directory.remove(name)
      item.announceRemoval()
    } catch .noSuchFileOrDirectory {
      // Another process removed it first.
    }
    return true
  }
}
