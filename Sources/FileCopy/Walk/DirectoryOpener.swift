import IOChannelsEngine
import IOChannelsSystem

/// The opener of directories on both sides, which creates missing destinations.
struct DirectoryOpener: Sendable {
  let context: CopyContext
  let held: HeldDirectories
  let effects: any CopyEffects
  /// The remover of entries that the source lacks or has as another kind; nil unless requested.
  let remover: ExtraneousRemover?
  private let operands = OperandDirectories()
  private let views: DestinationViews
  private var options: CopyOptions { context.options }

  init(_ context: CopyContext, _ held: HeldDirectories, _ effects: any CopyEffects) {
    self.context = context
    self.held = held
    self.effects = effects
    views = DestinationViews(context, held, effects)
    remover =
      context.options.deletion.removesExtraneous ? ExtraneousRemover(context, held) : nil
  }

  /// An open directory.
  struct Opened {
    let directory: CopyDirectory
    /// Whether the names in the source can be read.
    let isReadable: Bool
  }

  /// Opens both sides of a directory. The caller releases and completes it.
  ///
  /// - Returns: The directory; nil if the filter leaves it out.
  func open(_ item: CopyItem) throws(CopyError) -> Opened? {
    let job = item.job
    let source = try openSource(item)
    let isReadable = source.isReadable
    let status = try attempt(
      .status,
      item.sourcePath,
      try source.descriptor.borrowed.status()
    )
    let operand = job.operand ?? job.directory.operand
    // The destination may be a work tree inside the source, which is left out.
    guard let scope = try filterScope(of: item, source) else { return nil }
    try check(source, status, of: item, operand)
    if !job.isOnPath { try operands.claim(status.identity, for: item, of: operand) }
    var destination = try openDestination(item, for: status, mayReplace: isReadable)
    // A dry run neither reads nor changes a directory that it only imagines.
    let isImagined = destination.isImagined
    let defaultAccess = isImagined ? nil : try defaultAccess(destination, item)
    let releases = context.releases.endedCount
    let found = isImagined ? status : try destinationStatus(destination, item)
    if !isImagined { try refuseReplaced(destination, found, item) }
    let isWidened = widen(&destination, found)
    let isTop = !job.isOnPath && !isImagined && operand.setTop(found.identity)
    context.fileSystems?.add(
      directory: destination.descriptor.borrowed,
      on: found.identity.device,
      item.destinationPath
    )
    if job.operand != nil && destination.isNew { source.listAgain() }
    // The parts of a copy create the same directories, at the same time. A part must expect files
    // of others in each one, and sets the metadata of none.
    let isPart = ShardRule(options.shard) != nil
    let mount = isImagined ? nil : mount(of: destination)
    let directory = CopyDirectory(
      parent: job.directory,
      operand: operand,
      sourceName: job.sourceName,
      destinationName: job.destinationName,
      source: status,
      destination: found,
      systems: systems(of: status, found, in: job.directory),
      isNew: destination.isNew && (isImagined || !isPart),
      user: context.user,
      releases: isImagined ? nil : releases,
      isImagined: isImagined,
      isWidened: isWidened,
      mount: mount,
      isBeyondMount: isBeyondMount(mount, job),
      defaultAccess: defaultAccess,
      followsSource: job.followsSource,
      followsDestination: options.tree.keepsDirectoryLinks,
      scope: scope
    )
    if isPart || (scope.isPassage && !directory.isNew) { directory.set(.keepsMetadata) }
    job.directory.begin()
    _ = held.hold(
      directory,
      source: source.descriptor,
      destination: destination.descriptor
    )
    if isTop { context.shared?.addTop(.init(directory: directory, held: held)) }
    if !isReadable && !job.isOnPath && !isOtherFileSystem(job, status) {
      item.fail(CopyError(.readDirectory, item.sourcePath, .permissionDenied))
    }
    return Opened(directory: directory, isReadable: isReadable)
  }

  private func systems(
    of source: FileStatus,
    _ destination: FileStatus,
    in parent: CopyDirectory
  ) -> FileSystemPair {
    let (source, destination) = (source.identity.device, destination.identity.device)
    let outer = parent.systems
    if outer.source.device == source && outer.destination.device == destination { return outer }
    return context.systems.pair(source, destination)
  }

  /// Refuses a directory of another user in the place of a new one.
  ///
  /// Other file systems may report another owner than that of the process.
  private func refuseReplaced(
    _ destination: borrowing OpenedDestination,
    _ found: FileStatus,
    _ item: CopyItem
  ) throws(CopyError) {
    if destination.isNew && found.owner != context.user && !item.control.isPrivate,
      context.systems.system(found.identity.device).kind(of: destination.descriptor.borrowed)
        .keepsTimes
    {
      throw CopyError(.createDirectory, item.destinationPath, .fileExists)
    }
  }

  /// Opens a directory on the path of an operand. The caller releases and completes it.
  func openParent(
    _ source: BytePath,
    in parent: CopyDirectory,
    _ worker: CopyWorker
  ) throws(CopyError) -> CopyDirectory {
    let name = source.isAbsolute ? BytePath(bytes: source.bytes.dropFirst()) : source
    var job = FileJob(directory: parent, sourceName: source, destinationName: name)
    job.followsSource = true
    job.isOnPath = true
    return try held.withPair(of: parent) { (pair) throws(CopyError) in
      do throws(CopyError) {
        guard let opened = try open(CopyItem(job, in: pair, worker)) else {
          // No filter applies to the path of an operand.
          throw CopyError(.parentStatus, job.sourcePath)
        }
        remover?.claim(passage: opened.directory)
        return opened.directory
      } catch {
        switch (error.problem, error.reason) {
        case (.status, .system(let reason)) where error.path == job.sourcePath:
          // As with cp, the destination is examined first.
          if let found = try? pair.destination.status(of: name, following: true),
            found.kind != .directory
          {
            throw CopyError(.noParentDirectory, job.destinationPath)
          }
          throw CopyError(.parentStatus, job.sourcePath, reason)
        case (.replaced, _): throw CopyError(.parentStatus, job.sourcePath, .notDirectory)
        case (.createDirectory, .system(let reason)):
          throw CopyError(.createParent, job.destinationPath, reason)
        case (.existingNonDirectory, _): throw existingParentError(of: job, in: pair)
        default: throw error
        }
      }
    }
  }

  /// Returns the error of an existing file in the place of a directory on the path of an operand.
  ///
  /// As with cp, no file has the name of a dangling link, so that a directory is to be created.
  private func existingParentError(of job: FileJob, in pair: DirectoryPair) -> CopyError {
    do throws(SystemError) {
      _ = try pair.destination.status(of: job.destinationName, following: true)
    } catch .noSuchFileOrDirectory {
      return CopyError(.createParent, job.destinationPath, .fileExists)
    } catch {
      // The name exists in any case.
    }
    return CopyError(.noParentDirectory, job.destinationPath)
  }

  /// Whether a directory inside a tree is on another file system, which is not copied.
  func isOtherFileSystem(_ job: FileJob, _ directory: FileStatus) -> Bool {
    options.tree.staysOnFileSystem && job.operand == nil && !job.isOnPath
      && directory.identity.device != job.directory.source.identity.device
  }

  /// Widens the permissions of an existing destination that its owner may not change or read.
  ///
  /// The parts of a copy use a directory at the same time, so that none of them restores its mode.
  ///
  /// - Returns: Whether they must be restored.
  private func widen(_ destination: inout OpenedDestination, _ found: FileStatus) -> Bool {
    if destination.isNew || options.isDryRun || options.shard != nil { return false }
    guard destination.descriptor.borrowed.widenPermissions(found) != nil else { return false }
    // It may have been opened as a mere handle.
    if let readable = try? destination.descriptor.borrowed.open(".", [.directory]) {
      destination.descriptor = readable
    }
    return true
  }

  /// Returns the mount of a destination from which entries may be removed; nil for another one, or
  /// if it is unknown.
  private func mount(of destination: borrowing OpenedDestination) -> Int64? {
    if !options.deletion.removesExtraneous { return nil }
    return try? destination.descriptor.borrowed.mountNumber()
  }

  /// Whether a destination is on another mount than that of its operand, or may be.
  private func isBeyondMount(_ mount: Int64?, _ job: FileJob) -> Bool {
    if !options.deletion.removesExtraneous || job.isOnPath { return false }
    if job.operand != nil { return mount == nil }
    return job.directory.isBeyondMount || mount != job.directory.mount
  }

  /// Refuses a directory that was replaced, is the destination itself, or is one of its parents.
  private func check(
    _ source: borrowing OpenedSource,
    _ status: FileStatus,
    of item: CopyItem,
    _ operand: CopyOperand
  ) throws(CopyError) {
    let job = item.job
    if job.directory.depth == CopyDirectory.depthLimit {
      throw CopyError(.readDirectory, item.sourcePath, .fileNameTooLong)
    }
    if let expected = job.expected, expected != status.identity {
      throw CopyError(.replaced, item.sourcePath)
    }
    let isTop = operand.isTop(status.identity) || context.shared?.isTop(status.identity) ?? false
    if !job.isOnPath && (isTop || views.show(source.descriptor.borrowed, status, of: item)) {
      throw CopyError(.intoItself, operand.source, other: operand.destination)
    }
    // Only a followed link leads to a parent, and the walk expects what it leads to.
    if job.expected != nil && job.followsSource && job.operand == nil && !job.isOnPath
      && isCycle(status.identity, below: job.directory)
    {
      throw CopyError(.cycle, item.sourcePath)
    }
  }

  /// Whether a directory is one of its own parents, which a followed link makes possible.
  private func isCycle(_ identity: FileIdentity, below directory: CopyDirectory) -> Bool {
    var current: CopyDirectory? = directory
    // Directories on the path of an operand are not copied with it.
    while let ancestor = current, ancestor.operand === directory.operand {
      if ancestor.source.identity == identity { return true }
      current = ancestor.parent
    }
    return false
  }

  /// A directory of the source that was opened.
  private struct OpenedSource: ~Copyable {
    var descriptor: OwnedDescriptor
    /// Whether its names can be read. Otherwise the descriptor is a mere handle.
    var isReadable: Bool

    /// Lists the names from the start, as some file systems do so when the directory is opened,
    /// without a name that was created since.
    func listAgain() {
      if isReadable { try? descriptor.borrowed.seekDirectory(to: 0) }
    }
  }

  /// Returns the filter for the names in a directory; nil if the directory is left out.
  private func filterScope(
    of item: CopyItem,
    _ source: borrowing OpenedSource
  ) throws(CopyError) -> FilterScope? {
    let job = item.job
    if job.isOnPath { return FilterScope() }
    if !source.isReadable {
      if job.operand != nil { return FilterScope(unread: options.tree.filter) }
      return job.directory.scope.enteringUnread(job.sourceName)
    }
    let directory = source.descriptor.borrowed
    do throws(RuleFileError) {
      if job.operand != nil { return try FilterScope(options.tree.filter, at: directory) }
      return try job.directory.scope.entering(job.sourceName, directory)
    } catch {
      throw CopyError(.open, item.sourcePath.appending(error.path), error.error)
    }
  }

  /// Opens a directory of the source, as a mere handle if it cannot be read.
  private func openSource(_ item: CopyItem) throws(CopyError) -> OpenedSource {
    let (name, directory) = (item.job.sourceName, item.pair.source)
    let flags: OpenFlags = item.job.followsSource ? [.directory] : [.directory, .noFollow]
    do throws(SystemError) {
      do throws(SystemError) {
        let source = try directory.open(name, flags.union([.nonBlocking, .noTerminal]))
        return OpenedSource(descriptor: source, isReadable: true)
      } catch .permissionDenied {
        let source = try directory.open(name, flags.union(.path))
        return OpenedSource(descriptor: source, isReadable: false)
      }
    } catch {
      switch error {
      case .notDirectory, .tooManySymbolicLinkLevels: throw CopyError(.replaced, item.sourcePath)
      case .noSuchFileOrDirectory: throw CopyError(.status, item.sourcePath, error)
      default: throw CopyError(.readDirectory, item.sourcePath, error)
      }
    }
  }

  private func openDestination(
    _ item: CopyItem,
    for source: FileStatus,
    mayReplace: Bool
  ) throws(CopyError) -> OpenedDestination {
    do throws(CopyError) {
      do throws(CopyError) {
        return try createAndOpenDestination(item, for: source)
      } catch {
        guard error.problem == .existingNonDirectory, mayReplace,
          let cleared = try removeOtherKind(item, for: source)
        else { throw error }
        return try createAndOpenDestination(cleared, for: source)
      }
    } catch {
      operands.forget(source.identity, item)
      throw error
    }
  }

  /// Removes an existing file that is no directory, if the copy removes what the source lacks.
  ///
  /// - Returns: The name without the file; nil if that is not requested.
  private func removeOtherKind(
    _ item: CopyItem,
    for source: FileStatus
  ) throws(CopyError) -> CopyItem? {
    guard let remover, context.overwriteOptions(for: item.job).replacesKinds,
      let found = try? item.pair.destination.status(of: item.job.destinationName)
    else { return nil }
    try remover.checkEntry(of: item, for: source, over: found)
    try remover.removeEntry(of: item, over: found)
    var cleared = item
    cleared.job.existingWasRemoved = true
    return cleared
  }

  private func createAndOpenDestination(
    _ item: CopyItem,
    for source: FileStatus
  ) throws(CopyError) -> OpenedDestination {
    let isNew = try effects.createDirectory(item, for: source)
    if isNew {
      if item.job.isOnPath { item.announceParent() } else { item.announce(isDirectory: true) }
      item.noteCreated(.directory)
    }
    return try effects.openDirectory(item, isNew: isNew)
  }

  /// Returns the permission bits that the destination's default access list leaves to new files.
  ///
  /// Where modes are preserved, a new directory loses an inherited list, so that it grants no
  /// rights until the directory gets the list of its source. Where another user may change the list
  /// of the directory above, the new one itself shows whether it has one.
  private func defaultAccess(
    _ destination: borrowing OpenedDestination,
    _ item: CopyItem
  ) throws(CopyError) -> UInt32? {
    let directory = destination.descriptor.borrowed
    if !destination.isNew { return (try? directory.defaultAccess()) ?? nil }
    let keepsLists = !options.metadata.preserved.contains(.mode)
    do throws(SystemError) {
      if item.control.isOwned {
        let inherited = item.directory.defaultAccess
        if keepsLists || inherited == nil { return inherited }
      } else if keepsLists {
        return (try? directory.defaultAccess()) ?? nil
      } else {
        let names = try directory.attributeNames()
        if !names.contains(AccessList.access) && !names.contains(AccessList.inherited) {
          return nil
        }
      }
      try directory.dropAccessList(AccessList.inherited)
      try directory.dropAccessList()
      return nil
    } catch {
      throw CopyError(.setPermissions, item.destinationPath, error)
    }
  }

  /// Returns the status of a destination. A new one gets all rights of its owner.
  private func destinationStatus(
    _ destination: borrowing OpenedDestination,
    _ item: CopyItem
  ) throws(CopyError) -> FileStatus {
    let directory = destination.descriptor.borrowed
    do throws(SystemError) {
      let found = try directory.status()
      if !destination.isNew || found.permissions & 0o700 == 0o700 { return found }
      // The mask of the process has removed bits that the copy needs.
      do throws(SystemError) {
        try directory.setPermissionsOfAny(found.permissions | 0o700)
      } catch {
        // If the copy needs the bits, its own calls fail.
        if !error.isRefusal { throw error }
      }
      return try directory.status()
    } catch {
      throw CopyError(.status, item.destinationPath, error)
    }
  }
}
