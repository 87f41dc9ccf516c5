import IOChannelsSystem

/// A directory of the source that was just opened.
struct OpenedSource: ~Copyable {
  var descriptor: OwnedDescriptor
  /// Whether its entries may be read; else the descriptor is a mere handle.
  var isReadable: Bool
}

/// A directory of the destination that was just opened.
struct OpenedDestination: ~Copyable {
  var descriptor: OwnedDescriptor
  /// Whether the copy created it.
  var isNew: Bool
}

extension CopySession {
  /// Makes or finds the destination of a directory and copies what is in the source.
  func enter(_ job: FileJob, _ worker: CopyWorker) {
    var opened: (directory: CopyDirectory, isReadable: Bool)?
    // The directory around it is let go before what is inside is copied: each thread holds few.
    holding(job.directory, worker) { pair in
      if isStopped(worker) { return undoBackup(job, in: pair) }
      do throws(CopyError) {
        opened = try open(job, in: pair, worker)
      } catch {
        undoBackup(job, in: pair)
        fail(error, worker)
      }
    }
    guard let (directory, isReadable) = opened else { return }
    if isReadable && !leaves(job, directory.source) { read(directory, from: 0, worker) }
    held.release(directory)
    complete(directory, worker)
  }

  /// Whether a directory inside a tree is the way to another file system, which is not copied.
  private func leaves(_ job: FileJob, _ directory: FileStatus) -> Bool {
    options.staysOnFileSystem && job.operand == nil && !job.isOnPath
      && directory.identity.device != job.directory.source.identity.device
  }

  /// Makes or finds a directory on the path of an operand; it stays open for the caller, who lets
  /// it go and completes it.
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
        return try open(job, in: pair, worker).0
      } catch {
        switch error.problem {
        case .status where error.path == job.sourcePath:
          throw CopyError(.parentStatus, job.sourcePath, error.error)
        case .replaced: throw CopyError(.parentStatus, job.sourcePath, .notDirectory)
        case .existingNonDirectory: throw CopyError(.noParentDirectory, job.destinationPath)
        default: throw error
        }
      }
    }
  }

  /// Opens both sides of a directory; both stay open for the caller, who lets them go.
  private func open(
    _ job: FileJob,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) -> (CopyDirectory, isReadable: Bool) {
    let source = try openSourceDirectory(job, in: pair)
    let isReadable = source.isReadable
    let status: FileStatus
    do throws(SystemError) {
      status = try source.descriptor.borrowed.status()
    } catch {
      throw CopyError(.status, job.sourcePath, error)
    }
    if let expected = job.expected, expected != status.identity {
      throw CopyError(.replaced, job.sourcePath)
    }
    let operand = job.operand ?? job.directory.operand
    if !job.isOnPath && operand.isTop(status.identity) {
      throw CopyError(.intoItself, operand.source, other: operand.destination)
    }
    if job.followsSource && job.operand == nil && !job.isOnPath
      && isCycle(status.identity, below: job.directory)
    {
      throw CopyError(.cycle, job.sourcePath)
    }
    let destination = try openDestination(job, for: status, in: pair, worker)
    // A dry run neither reads nor changes a directory that it only imagines.
    let isImagined = options.isDryRun && destination.isNew
    let defaultAccess = isImagined ? nil : try defaultAccess(destination, job)
    let found = isImagined ? status : try destinationStatus(destination, job)
    if !job.isOnPath && !isImagined { operand.setTop(found.identity) }
    if job.operand != nil && isReadable && destination.isNew {
      // Some file systems list what was there at opening: not what was made inside just now.
      try? source.descriptor.borrowed.seekDirectory(to: 0)
    }
    let directory = CopyDirectory(
      parent: job.directory,
      operand: operand,
      sourceName: job.sourceName,
      destinationName: job.destinationName,
      source: status,
      destination: found,
      isNew: destination.isNew,
      isImagined: isImagined,
      defaultAccess: defaultAccess,
      followsSource: job.followsSource,
      followsDestination: options.keepsDirectoryLinks
    )
    job.directory.begin()
    _ = held.hold(
      directory,
      source: source.descriptor,
      destination: destination.descriptor
    )
    if !isReadable && !job.isOnPath && !leaves(job, status) {
      fail(CopyError(.readDirectory, job.sourcePath, .permissionDenied), worker)
    }
    return (directory, isReadable)
  }

  /// What the destination's default access list leaves to new files in it.
  ///
  /// Where modes are preserved a new directory has no list but its source's, so that nobody gets
  /// rights by it meanwhile.
  private func defaultAccess(
    _ destination: borrowing OpenedDestination,
    _ job: FileJob
  ) throws(CopyError) -> UInt32? {
    let directory = destination.descriptor.borrowed
    do throws(SystemError) {
      if !destination.isNew { return (try? directory.defaultAccess()) ?? nil }
      guard options.preserved.contains(.mode), job.directory.defaultAccess != nil else {
        return job.directory.defaultAccess
      }
      try removeList(of: directory, AccessList.inherited)
      try removeList(of: directory)
      return nil
    } catch {
      throw CopyError(.setPermissions, job.destinationPath, error)
    }
  }

  /// The status of a destination, which its owner can work in when it is new.
  private func destinationStatus(
    _ destination: borrowing OpenedDestination,
    _ job: FileJob
  ) throws(CopyError) -> FileStatus {
    let directory = destination.descriptor.borrowed
    do throws(SystemError) {
      let found = try directory.status()
      if !destination.isNew || found.permissions & 0o700 == 0o700 { return found }
      // The process's mask took bits that the work in the directory needs.
      do throws(SystemError) {
        try directory.setPermissions(found.permissions | 0o700)
      } catch .badFileDescriptor {
        try directory.setPermissionsOfHandle(found.permissions | 0o700)
      } catch {
        // The work itself tells whether the bits are missing.
        if !error.isRefusal { throw error }
      }
      return try directory.status()
    } catch {
      throw CopyError(.status, job.destinationPath, error)
    }
  }

  /// Opens a directory of the source, as a mere handle where it may not be read.
  private func openSourceDirectory(
    _ job: FileJob,
    in pair: DirectoryPair
  ) throws(CopyError) -> OpenedSource {
    let flags: OpenFlags = job.followsSource ? [.directory] : [.directory, .noFollow]
    do throws(SystemError) {
      do throws(SystemError) {
        let source = try pair.source.open(job.sourceName, flags.union([.nonBlocking, .noTerminal]))
        return OpenedSource(descriptor: source, isReadable: true)
      } catch .permissionDenied {
        let source = try pair.source.open(job.sourceName, flags.union(.path))
        return OpenedSource(descriptor: source, isReadable: false)
      }
    } catch {
      switch error {
      case .notDirectory, .tooManySymbolicLinkLevels: throw CopyError(.replaced, job.sourcePath)
      case .noSuchFileOrDirectory: throw CopyError(.status, job.sourcePath, error)
      default: throw CopyError(.readDirectory, job.sourcePath, error)
      }
    }
  }

  private func openDestination(
    _ job: FileJob,
    for source: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) -> OpenedDestination {
    let isNew =
      options.isDryRun
      ? try imagines(job, for: source, in: pair, worker)
      : try makeDestination(job, for: source, in: pair)
    if isNew {
      worker.report.directories += 1
      if job.isOnPath { announceParent(job) } else { announce(job) }
      record(.directory, job)
    }
    do throws(SystemError) {
      if isNew && options.isDryRun {
        // The source stands in: it is held and never touched.
        let standIn = try pair.source.open(
          job.sourceName,
          job.followsSource ? [.path, .directory] : [.path, .directory, .noFollow]
        )
        return OpenedDestination(descriptor: standIn, isNew: true)
      }
      let destination = try pair.destination.openDirectory(
        job.destinationName,
        following: options.keepsDirectoryLinks
      )
      return OpenedDestination(descriptor: destination, isNew: isNew)
    } catch {
      throw CopyError(.readDirectory, job.destinationPath, error)
    }
  }

  /// Makes a directory that only its owner may change until it is complete.
  ///
  /// - Returns: False when there was one already.
  private func makeDestination(
    _ job: FileJob,
    for source: FileStatus,
    in pair: DirectoryPair
  ) throws(CopyError) -> Bool {
    do throws(SystemError) {
      try pair.destination.makeDirectory(
        job.destinationName,
        permissions: openingMode(for: source)
      )
      return true
    } catch {
      // Some file systems refuse before they look whether there is one.
      if error == .fileExists || error.isRefusal || error == .readOnlyFileSystem,
        mayTake(job, links: .max, in: pair),
        let found = try? pair.destination.status(of: job.destinationName)
      {
        if servesAsDirectory(found, job, in: pair) { return false }
        throw CopyError(.existingNonDirectory, job.destinationPath, other: job.sourcePath)
      }
      throw CopyError(.createDirectory, job.destinationPath, error)
    }
  }

  /// The mode with which a directory is created.
  func openingMode(for source: FileStatus) -> UInt32 {
    let closed: UInt32 = options.preserved.isDisjoint(with: [.ownership, .mode]) ? 0o022 : 0o077
    return plainPermissions(for: source) & 0o1777 & ~closed | 0o700
  }

  /// Whether what has a destination's name is a directory, or a link that is used as one.
  func servesAsDirectory(
    _ found: FileStatus,
    _ job: FileJob,
    in pair: DirectoryPair
  ) -> Bool {
    if found.kind == .directory { return true }
    return options.keepsDirectoryLinks && found.kind == .symbolicLink
      && (try? pair.destination.status(of: job.destinationName, following: true))?.kind
        == .directory
  }

  /// Whether a directory is one of those around it, which a followed link makes possible.
  private func isCycle(_ identity: FileIdentity, below directory: CopyDirectory) -> Bool {
    var current: CopyDirectory? = directory
    // Directories on the way to an operand are not copied with it.
    while let ancestor = current, ancestor.operand === directory.operand {
      if ancestor.source.identity == identity { return true }
      current = ancestor.parent
    }
    return false
  }

  /// Reads names of a directory and copies them, the files first.
  ///
  /// Directories wait as tasks, and so does the rest of the names when there are any, so that what
  /// waits is bounded by one reading.
  func read(_ directory: CopyDirectory, from start: Int64, _ worker: CopyWorker) {
    holding(directory, worker) { pair in
      do throws(SystemError) {
        if start != 0 { try pair.source.seekDirectory(to: start) }
        var next: Int64? = start
        while next != nil && !isStopped(worker) {
          var entries: [DirectoryEntry] = []
          // Most directories end with their first reading, and it takes a second one to know.
          repeat {
            next = try worker.reader.read(pair.source, into: &entries)
          } while next != nil && entries.count < 256
          let files = entries.filter { $0.kind != .directory }
          let hasDirectories = files.count < entries.count
          if hasDirectories, let position = next {
            add(.read(directory, position: position), to: directory, worker)
          }
          for entry in entries where entry.kind == .directory {
            add(.enter(job(for: entry, in: directory)), to: directory, worker)
          }
          copy(files[...], in: directory, worker)
          if hasDirectories { return }
        }
      } catch {
        fail(CopyError(.readDirectory, directory.sourcePath(""), error), worker)
      }
    }
  }

  /// Copies names that are probably no directories, and gives half of them to whoever is idle.
  func copy(
    _ entries: ArraySlice<DirectoryEntry>,
    in directory: CopyDirectory,
    _ worker: CopyWorker
  ) {
    holding(directory, worker) { pair in
      var rest = entries
      while !isStopped(worker), let entry = rest.popFirst() {
        if !rest.isEmpty && worker.crew.isHungry {
          let half = rest.suffix((rest.count + 1) / 2)
          rest.removeLast(half.count)
          add(.files(directory, half), to: directory, worker)
        }
        copy(entry, in: directory, pair, worker)
      }
    }
  }

  private func copy(
    _ entry: DirectoryEntry,
    in directory: CopyDirectory,
    _ pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    var job = job(for: entry, in: directory)
    var kind = entry.kind
    if kind == .unknown || (kind == .symbolicLink && followsLinks) {
      do throws(SystemError) {
        let status = try pair.source.status(of: entry.name, following: followsLinks)
        kind = status.kind
        job.expected = status.identity
      } catch {
        fail(CopyError(.status, job.sourcePath, error), worker)
        return
      }
    }
    if kind == .directory {
      add(.enter(job), to: directory, worker)
    } else {
      copyNonDirectory(job, kind: kind, in: pair, worker)
    }
  }

  private func job(for entry: DirectoryEntry, in directory: CopyDirectory) -> FileJob {
    FileJob(
      directory: directory,
      sourceName: entry.name,
      destinationName: entry.name,
      followsSource: followsLinks,
      readsAnything: options.readsSpecialFiles
    )
  }

  func add(_ task: CopyTask, to directory: CopyDirectory, _ worker: CopyWorker) {
    directory.begin()
    worker.crew.add(task)
  }

  /// Counts something as done, and completes each directory in which it was the last.
  func complete(_ directory: CopyDirectory, _ worker: CopyWorker) {
    var current = directory
    while current.end(), let parent = current.parent {
      if current.isDescribed && !options.isDryRun {
        holding(current, worker) { pair in setMetadata(of: current, in: pair, worker) }
      }
      held.close(current)
      current = parent
    }
  }
}
