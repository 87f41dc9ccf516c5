import IOChannelsSystem

/// The writer of copies, which makes all changes of the destination.
final class EntryWriter: Sendable {
  let options: CopyOptions
  let context: CopyContext
  let held: HeldDirectories
  let links: HardLinks
  let backups: Backups
  let files: DestinationFiles
  let metadata: MetadataWriter
  let timeSteps: TimeSteps
  let examinesFirst: Bool
  private let contents: ContentCopier
  private let special: SpecialFileCopier

  init(
    _ held: HeldDirectories,
    _ links: HardLinks,
    _ contents: ContentCopier,
    _ special: SpecialFileCopier
  ) {
    self.held = held
    self.links = links
    self.contents = contents
    self.special = special
    context = special.context
    options = context.options
    backups = Backups(hidden: special.hidden)
    files = contents.destination
    metadata = contents.metadata
    timeSteps = TimeSteps(files)
    examinesFirst =
      options.existing.rule != .always || options.existing.updatesOnly || options.existing.resumes
      || options.existing.backup != nil
      || options.existing.removesBeforeOpening || options.tree.product != .copies
      || context.operationObserver != nil
      // An existing entry of another kind than its source is removed before the copy.
      || options.deletion.removesExtraneous
  }

  /// Copies a name, and restores a backup of the existing file if that fails.
  func copy(_ item: CopyItem, kind: FileKind) {
    let failures = item.worker.report.failureCount
    do throws(CopyError) {
      try create(item, kind)
    } catch {
      item.fail(error)
    }
    if item.worker.report.failureCount > failures || item.worker.report.isStopped {
      backups.restore(item)
    }
  }

  /// Keeps the existing file as the copy. Further names of the source are linked to it.
  ///
  /// - Returns: False if the file was copied, because its metadata must not be set.
  func keep(
    _ item: CopyItem,
    _ found: FileStatus,
    for source: FileStatus,
    updatesMetadata: Bool
  ) throws(CopyError) -> Bool {
    var isKept = true
    try copyOrLink(item, source) { (item) throws(CopyError) in
      // Another user may have put a file of that user in the place of the copy.
      let isTrusted = found.owner == source.owner || found.owner == context.user
      if isTrusted || item.control.isPrivate { item.job.linkedFile?.copy.record(found) }
      if updatesMetadata { isKept = try contents.renewMetadata(item, of: source) }
      if isKept { return try contents.flushKept(item, of: source) }
      var item = item
      item.job.isKept = false
      try contents.copy(item, of: source.identity)
    }
    return isKept
  }

  private func create(_ item: CopyItem, _ kind: FileKind) throws(CopyError) {
    switch options.tree.product {
    case .copies: break
    case .hardLinks: return try createHardLink(item)
    case .symbolicLinks: return try createSymbolicLink(item)
    }
    switch kind {
    case .regular: try copyContents(item)
    case .symbolicLink: try copySpecial(item, kind)
    case .fifo, .socket, .characterDevice, .blockDevice:
      if !item.job.readsAnything { return try copySpecial(item, kind) }
      try item.checkReads(of: kind)
      try copyContents(item)
    case .directory, .unknown: throw CopyError(.unknownKind, item.sourcePath)
    }
  }

  private func copyContents(_ item: CopyItem) throws(CopyError) {
    let source = try item.openSource(acceptsNodes: true)
    let kind = source.status.kind
    if kind != .regular && !item.job.readsAnything { return try copySpecial(item, kind) }
    if !links.areKept(for: source.status, item) { return try contents.copy(item, from: source) }
    try copyOrLink(item, source.status) { (item) throws(CopyError) in
      try contents.copy(item, from: source)
    }
  }

  private func copySpecial(_ item: CopyItem, _ kind: FileKind) throws(CopyError) {
    let status = try item.sourceStatus()
    if let expected = item.job.expected, expected != status.identity {
      throw CopyError(.replaced, item.sourcePath)
    }
    try copyOrLink(item, status) { (item) throws(CopyError) in
      try special.copy(item, status, kind)
    }
  }

  /// Copies a file of a known kind, regardless of its other names, unless the existing file is
  /// kept.
  func copyFirst(_ item: CopyItem, _ file: FileIdentity, _ kind: FileKind) throws(CopyError) {
    if item.job.isKept { return }
    if kind == .regular || (item.job.readsAnything && kind != .symbolicLink) {
      try item.checkReads(of: kind)
      return try contents.copy(item, of: file)
    }
    let status = try item.sourceStatus()
    if status.identity != file { throw CopyError(.replaced, item.sourcePath) }
    try special.copy(item, status, kind)
  }
}
