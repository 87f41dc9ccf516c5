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

  /// Copies a symbolic link or a special file, of which `kind` is the kind when its name was read.
  func copy(_ item: CopyItem, _ status: FileStatus, _ kind: FileKind) throws(CopyError) {
    if kind == .symbolicLink {
      try copyLink(item, status)
      item.noteCreated(.symbolicLink)
    } else {
      try createSpecialFile(item, status)
      item.noteCreated(.special)
    }
    metadata.describeSpecial(item, from: status)
  }

  private func copyLink(_ item: CopyItem, _ status: FileStatus) throws(CopyError) {
    if status.kind != .symbolicLink { throw CopyError(.replaced, item.sourcePath) }
    let (name, pair) = (item.job.sourceName, item.pair)
    let target = try attempt(
      .readSymbolicLink,
      item.sourcePath,
      try pair.source.target(ofLink: name, length: Int(clamping: status.size))
    )
    try create(.createSymbolicLink, item, from: status) { (name) throws(SystemError) in
      try pair.destination.makeSymbolicLink(name, to: target)
    }
  }

  private func createSpecialFile(_ item: CopyItem, _ status: FileStatus) throws(CopyError) {
    switch status.kind {
    case .fifo, .socket, .characterDevice, .blockDevice: break
    case .regular, .directory, .symbolicLink, .unknown:
      throw CopyError(.replaced, item.sourcePath)
    }
    let mode = context.modes.specialMode(for: status)
    let problem: CopyError.Problem = status.kind == .fifo ? .createFIFO : .createSpecialFile
    try create(problem, item, from: status) { (name) throws(SystemError) in
      try item.pair.destination.makeSpecialFile(name, mode: mode, device: status.specialDevice)
    }
  }

  /// Creates a file that is not regular, and removes or replaces the existing one.
  private func create(
    _ problem: CopyError.Problem,
    _ item: CopyItem,
    from source: FileStatus,
    _ make: (BytePath) throws(SystemError) -> Void
  ) throws(CopyError) {
    var item = item
    do throws(SystemError) {
      for _ in 1...ContestedNames.attempts {
        do throws(SystemError) {
          return try make(item.job.destinationName)
        } catch .fileExists {
          if try removeExisting(&item, for: source) { continue }
          return try hidden.replace(item, make)
        }
      }
      throw .fileExists
    } catch {
      switch error {
      case .isDirectory: throw CopyError(.existingDirectory, item.destinationPath)
      case .staleFileHandle:
        throw CopyError(.sameFile, item.sourcePath, other: item.destinationPath)
      default: throw CopyError(problem, item.destinationPath, error)
      }
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
    let options = context.options(for: item.job)
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
