import IOChannelsSystem

/// The destinations of regular files: how they are opened, and how complete files get their names.
final class DestinationFiles: Sendable {
  let options: CopyOptions
  let context: CopyContext
  let hidden: HiddenFiles
  let creator: FileCreator
  /// Whether the process can link an unnamed file at all.
  let canLinkUnnamedFiles = ProcessLimits.canNameOpenFiles
  /// Whether the process may write to files regardless of their permissions.
  let ignoresPermissions = ProcessLimits.ignoresPermissions
  let overwritten: OverwrittenFiles

  init(_ context: CopyContext) {
    self.context = context
    overwritten = context.shared?.overwritten ?? OverwrittenFiles()
    options = context.options
    creator = FileCreator(context)
    hidden = HiddenFiles(creator)
  }

  /// Creates the destination of a file, or opens the existing file.
  func open(
    _ item: CopyItem,
    _ appearance: CopyPlan.Appearance,
    for source: FileStatus
  ) throws(CopyError) -> DestinationFile {
    if options.existing.resumes { hidden.removeLeftovers(item) }
    // Only a directory can have a name with a slash at its end. In place, the error shows at once.
    let isDirectoryName = item.job.isDirectoryName
    if options.isAtomic && options.contents.copiesBytes && !isDirectoryName,
      let target = try openReplacement(item, for: source)
    {
      return target
    }
    let mode = context.modes.creationMode(for: source, in: item.directory)
    var appearance = appearance
    if isDirectoryName {
      appearance = .inPlace
      // As with cp, -f tries to remove a cycle of links in spite of the slash.
      if options.existing.removesAfterFailedOpen && item.leadsInCircles { try remove(item) }
    }
    // A directory that this copy created has no file with the name.
    if appearance == .atOnce, item.job.isUnseen || item.isMissing {
      if item.job.way < .inPlace, let target = try openAtOnce(item, mode) { return target }
      appearance = .inPlace
    }
    if appearance == .inPlace, let target = try openNew(item, mode) { return target }
    if item.job.isFree { throw CopyError(.createFile, item.destinationPath, .fileExists) }
    return try openExisting(item, mode, for: source)
  }

  /// Opens the existing file, or removes it and creates the file as the options demand.
  private func openExisting(
    _ item: CopyItem,
    _ mode: UInt32,
    for source: FileStatus
  ) throws(CopyError) -> DestinationFile {
    let existing: FileStatus
    do throws(CopyError) {
      existing = try item.existingFile(for: source)
    } catch {
      if error.problem == .danglingLink && item.createsLinkTarget {
        return try openOrCreate(item, mode, for: source, following: true)
      }
      // A cycle of links is removed like any file that cannot be opened.
      guard options.existing.removesAfterFailedOpen, error.error == .tooManySymbolicLinkLevels
      else {
        throw error
      }
      try remove(item)
      guard let target = try openNew(item, mode) else { throw error }
      return target
    }
    let hasOtherNames = options.metadata.preserved.contains(.links) && existing.links > 1
    let isForeign =
      existing.kind == .regular && !item.job.writesThrough
      && MetadataChange(item, source, existing).needsNewOwner
    if options.contents.copiesBytes && (hasOtherNames || isForeign) {
      // Writing to it would also change the file under its other names. Another user who has it
      // open could read and write the copy.
      try remove(item)
      if let target = try openNew(item, mode) { return target }
    }
    do throws(CopyError) {
      return try openForOverwriting(existing, item, for: source)
    } catch {
      if let target = try openVanished(item, mode, for: source, after: error) { return target }
      guard options.existing.removesAfterFailedOpen else { throw error }
      try remove(item)
      guard let target = try openNew(item, mode) else { throw error }
      return target
    }
  }

  /// Creates a file whose name another machine has removed, although this one still shows a file.
  ///
  /// A network file system keeps names for a while, and refuses to create such a name. A rename
  /// replaces it. If files cannot be renamed, the name is opened as with cp.
  ///
  /// - Returns: Nil if opening the existing file has failed for another reason, or the name may
  ///   have been removed only now, so that it is examined again first.
  private func openVanished(
    _ item: CopyItem,
    _ mode: UInt32,
    for source: FileStatus,
    after failure: CopyError
  ) throws(CopyError) -> DestinationFile? {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    guard failure.error == .noSuchFileOrDirectory,
      item.job.isContested || !ContestedNames.explain(failure, of: item),
      (try? directory.status(of: name))?.kind == .regular
    else { return nil }
    if item.job.way < .inPlace, var target = try openAtOnce(item, mode) {
      target.replaces = true
      return target
    }
    if let target = try openNew(item, mode) { return target }
    return try openOrCreate(item, mode, for: source, following: false)
  }

  /// Creates a file under its final name.
  ///
  /// - Returns: Nil if the name exists.
  private func openNew(_ item: CopyItem, _ mode: UInt32) throws(CopyError) -> DestinationFile? {
    do throws(SystemError) {
      return try creator.create(.final, item, mode)
    } catch .fileExists {
      return nil
    } catch {
      // A name with a slash at its end can only be a directory's.
      throw CopyError(
        .createFile,
        item.destinationPath,
        error == .isDirectory ? .notDirectory : error
      )
    }
  }

  /// Opens a file, or creates it with the mode of cp. A dangling link is followed if `following` is
  /// set.
  ///
  /// From then on it is an existing file.
  private func openOrCreate(
    _ item: CopyItem,
    _ mode: UInt32,
    for source: FileStatus,
    following: Bool
  ) throws(CopyError) -> DestinationFile {
    let flags = creator.access.union([.create, .noTerminal, .nonBlocking])
      .union(following ? [] : .noFollow)
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    do throws(SystemError) {
      let file = try directory.open(name, flags, permissions: mode)
      let opened = try file.borrowed.status()
      // Another process may have created it first.
      guard opened.kind == .regular, opened.identity != source.identity else { throw .fileExists }
      let claim = overwritten.claim(opened.identity)
      let status = try file.borrowed.status()
      noteFileSystem(of: file.borrowed, status, item)
      return DestinationFile(file, existing: status, claim)
    } catch {
      throw CopyError(.createFile, item.destinationPath, error)
    }
  }

  /// Adds the file system of an overwritten file to those that are flushed. A link or a mount may
  /// lead to another one than that of the directory.
  private func noteFileSystem(
    of file: BorrowedDescriptor,
    _ status: FileStatus,
    _ item: CopyItem
  ) {
    if status.kind != .regular { return }
    context.fileSystems?.add(file: file, on: status.identity.device, item.destinationPath)
  }

  /// Opens the file that was examined, and waits until no other thread writes to it under another
  /// name.
  private func openForOverwriting(
    _ existing: FileStatus,
    _ item: CopyItem,
    for source: FileStatus
  ) throws(CopyError) -> DestinationFile {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    let follows = item.job.writesThrough
    do throws(SystemError) {
      if item.job.way == .emptied && mayEmpty(existing) { return try openEmptied(existing, item) }
      let file = try openFound(existing, item)
      let opened = try file.borrowed.status()
      if opened.identity != existing.identity {
        let now = try directory.status(of: name, following: follows)
        guard now.identity == opened.identity, opened.identity != source.identity,
          opened.isCopiedUp(from: existing)
        else { throw .staleFileHandle }
      }
      let claim = overwritten.claim(opened.identity)
      let status = try file.borrowed.status()
      noteFileSystem(of: file.borrowed, status, item)
      return DestinationFile(file, existing: status, claim)
    } catch {
      if error.isRefusal && mayEmpty(existing), let target = try? openEmptied(existing, item) {
        return target
      }
      throw CopyError(.createFile, item.destinationPath, error)
    }
  }

  private func openFound(
    _ existing: FileStatus,
    _ item: CopyItem
  ) throws(SystemError) -> OwnedDescriptor {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    let access = existing.kind == .regular ? creator.access : .writeOnly
    let flags = access.union(.noTerminal)
    do throws(SystemError) {
      return item.job.writesThrough
        ? try directory.open(name, flags)
        : try directory.openRegular(name, flags, following: false)
    } catch .staleFileHandle {
      // The server has no such file any more.
      throw .noSuchFileOrDirectory
    }
  }

  /// Whether an existing file may be emptied when it is opened.
  ///
  /// Some file systems, such as those of object stores, overwrite a file only then. A copy that is
  /// to keep the file until its own is complete, or parts of it, does not do that.
  func mayEmpty(_ existing: FileStatus) -> Bool {
    existing.kind == .regular && options.contents.copiesBytes && !options.isAtomic
      && (options.existing.rule == .always || options.existing.rule == .ask)
  }

  /// Opens the file that was examined, and empties it.
  ///
  /// It is opened by a handle, so that no file that gets its name meanwhile is emptied.
  private func openEmptied(
    _ existing: FileStatus,
    _ item: CopyItem
  ) throws(SystemError) -> DestinationFile {
    let link: OpenFlags = item.job.writesThrough ? [] : .noFollow
    let handle = try item.pair.destination.open(item.job.destinationName, link.union(.path))
    if try handle.borrowed.status().identity != existing.identity { throw .staleFileHandle }
    let claim = overwritten.claim(existing.identity)
    let file = try handle.borrowed.reopen(creator.access.union([.truncate, .noTerminal]))
    let status = try file.borrowed.status()
    noteFileSystem(of: file.borrowed, status, item)
    var target = DestinationFile(file, existing: status, claim)
    target.isEmptied = true
    return target
  }

  /// Removes the existing file and reports that.
  func remove(_ item: CopyItem) throws(CopyError) {
    do throws(SystemError) {
      try item.pair.destination.remove(item.job.destinationName)
      item.announceRemoval()
    } catch .noSuchFileOrDirectory {
      // Another process removed it first.
    } catch {
      throw CopyError(.remove, item.destinationPath, error)
    }
  }
}

extension FileStatus {
  /// Whether length and modification time are the same.
  func hasSameContent(as earlier: FileStatus) -> Bool {
    size == earlier.size && modified == earlier.modified
  }

  /// Whether overlayfs created a file when it opened one of a lower layer for writing.
  ///
  /// It is another file with the same metadata and without other names.
  fileprivate func isCopiedUp(from lower: FileStatus) -> Bool {
    hasSameContent(as: lower) && mode == lower.mode && owner == lower.owner
      && group == lower.group && links <= 1
  }
}
