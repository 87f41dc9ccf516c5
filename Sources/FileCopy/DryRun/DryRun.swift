import IOChannelsSystem

/// A dry run, which reports the steps of a copy and changes nothing.
///
/// It walks the tree as a copy does. A directory that is missing at the destination is imagined: it
/// is empty, and its descriptor is one of the source.
final class DryRun: CopyEffects {
  private let options: CopyOptions
  private let links: HardLinks
  let examinesFirst = true

  init(_ context: CopyContext, _ links: HardLinks) {
    options = context.options
    self.links = links
  }

  func createDirectory(_ item: CopyItem, for source: FileStatus) throws(CopyError) -> Bool {
    if item.directory.isImagined { return true }
    do throws(SystemError) {
      let found = try item.pair.destination.status(of: item.job.destinationName)
      if item.servesAsDirectory(found) { return false }
      // The existing file would have been renamed or removed.
      if item.job.backup != nil || item.job.existingWasRemoved { throw .noSuchFileOrDirectory }
    } catch .noSuchFileOrDirectory {
      reportCopyIntoItself(item, source)
      return true
    } catch {
      throw CopyError(.createDirectory, item.destinationPath, error)
    }
    throw CopyError(.existingNonDirectory, item.destinationPath, other: item.sourcePath)
  }

  /// Reports a directory that would be created inside itself, which the walk cannot meet.
  private func reportCopyIntoItself(_ item: CopyItem, _ source: FileStatus) {
    guard !item.job.isOnPath, item.job.operand != nil,
      let around = try? OperandOverlap.chain(from: ".", in: item.pair.destination),
      around.contains(source.identity)
    else { return }
    item.fail(CopyError(.intoItself, item.sourcePath, other: item.destinationPath))
  }

  func openDirectory(_ item: CopyItem, isNew: Bool) throws(CopyError) -> OpenedDestination {
    let name = item.job.destinationName
    if isNew {
      // A handle of the source takes the place of the destination. It is never used to change
      // anything.
      let flags: OpenFlags =
        item.job.followsSource ? [.path, .directory] : [.path, .directory, .noFollow]
      let standIn = try attempt(
        .readDirectory,
        item.destinationPath,
        try item.pair.source.open(item.job.sourceName, flags)
      )
      return OpenedDestination(descriptor: standIn, isNew: true, isImagined: true)
    }
    let existing = try attempt(
      .readDirectory,
      item.destinationPath,
      try item.pair.destination.openDirectory(name, following: options.tree.keepsDirectoryLinks)
    )
    return OpenedDestination(descriptor: existing, isNew: false)
  }

  func complete(_ directory: CopyDirectory, _ worker: CopyWorker) {}

  func remove(_ item: CopyItem) { item.announceRemoval() }

  func backUp(_ item: CopyItem, _ naming: BackupNaming) throws(CopyError) -> BytePath? {
    let names = BackupNames(naming: naming, name: item.job.destinationName)
    do throws(SystemError) {
      return try names.nextNumber(in: item.pair.destination).map(names.numbered) ?? names.simple
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw CopyError(.backUp, item.destinationPath, error)
    }
  }

  func timeStep(of found: FileStatus, _ item: CopyItem) -> Int64 {
    OverwritePlan.likelyTimeStep(of: found)
  }
}

/// Files that are not directories.
extension DryRun {
  func copy(_ item: CopyItem, kind: FileKind) {
    do throws(CopyError) {
      switch options.tree.product {
      case .hardLinks:
        try checkLink(item)
        item.noteCreated(.hardLink)
      case .symbolicLinks: item.noteCreated(.symbolicLink)
      case .copies: try reportCopy(item, kind)
      }
    } catch {
      item.fail(error)
    }
  }

  /// Refuses a hard link where the existing file would be kept.
  private func checkLink(_ item: CopyItem) throws(CopyError) {
    let isFree =
      item.directory.isNew || item.job.backup != nil || item.job.existingWasRemoved
      || options.existing.removesBeforeOpening
      || options.existing.removesAfterFailedOpen || options.existing.rule == .ask
    if isFree || item.isMissing { return }
    throw CopyError(.createHardLink, item.destinationPath, other: item.sourcePath, .fileExists)
  }

  private func reportCopy(_ item: CopyItem, _ kind: FileKind) throws(CopyError) {
    // Opening changes nothing, and shows whether the file can be read.
    let isRegular = kind == .regular
    let status =
      isRegular ? try item.openSource(acceptsNodes: true).status : try item.sourceStatus()
    if isFurtherName(item, status) { return item.noteCreated(.hardLink) }
    switch isRegular ? status.kind : kind {
    case .symbolicLink: item.noteCreated(.symbolicLink)
    case .fifo, .socket, .characterDevice, .blockDevice:
      if !item.job.readsAnything { return item.noteCreated(.special) }
      try item.checkReads(of: kind)
      try reportFile(item, status)
    case .regular: try reportFile(item, status)
    case .directory, .unknown: throw CopyError(.unknownKind, item.sourcePath)
    }
  }

  private func reportFile(_ item: CopyItem, _ status: FileStatus) throws(CopyError) {
    let isFree =
      item.directory.isNew || item.job.backup != nil || item.job.existingWasRemoved
      || item.isMissing
    if !isFree && !options.existing.removesBeforeOpening {
      do throws(CopyError) {
        _ = try item.existingFile(for: status)
      } catch {
        let isLink = error.problem == .danglingLink || error.problem == .existingLink
        let isReplaced = options.isAtomic && options.contents.copiesBytes && isLink
        let isCreated = error.problem == .danglingLink && item.createsLinkTarget
        guard isReplaced || isCreated else { throw error }
      }
    }
    if isFree && item.job.isDirectoryName {
      throw CopyError(.createFile, item.destinationPath, .notDirectory)
    }
    let plan = CopyPlan(
      CopyPlan.Facts(
        source: status,
        destinationDevice: item.directory.existingDevice,
        isOverwriting: !isFree,
        mayClone: false
      )
    )
    let method = options.contents.copiesBytes ? plan.methods[0] ?? .stream : .attributes
    item.noteCreated(.file(method), bytes: options.contents.copiesBytes ? status.size : 0)
  }

  /// Whether a file would become a hard link to a copy under another name.
  private func isFurtherName(_ item: CopyItem, _ status: FileStatus) -> Bool {
    guard links.areKept(for: status, item) else { return false }
    var item = item
    switch links.claim(status, by: &item) {
    case .copy:
      _ = links.copied(status.identity, as: item.job)
      return false
    case .copyAlone: return false
    case .wait, .link: return true
    }
  }
}

extension CopyDirectory {
  /// The file system on which files in the destination are, or would be.
  fileprivate var existingDevice: UInt64 {
    var current = self
    while current.isImagined, let parent = current.parent { current = parent }
    return current.destination.identity.device
  }
}
