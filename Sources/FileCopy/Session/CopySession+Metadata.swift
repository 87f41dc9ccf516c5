import Glibc
internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

extension CopySession {
  /// Sets what describes a regular file: owner, then attributes, of which a new owner takes some
  /// away, then mode, which the owner's change may clear, then times, which are last so that an
  /// unfinished file is never taken for a finished one.
  func setMetadata(
    of target: borrowing CopyTarget,
    _ job: FileJob,
    from source: FileStatus,
    _ descriptor: BorrowedDescriptor,
    _ worker: CopyWorker
  ) {
    let existing = target.existing
    // A device or FIFO that is written to is not made the source's twin.
    if let existing, existing.kind != .regular { return }
    let subject = DescribedFile(
      file: target.file,
      device: (existing ?? job.directory.destination).identity.device,
      source: descriptor,
      worker: worker,
      path: { job.destinationPath },
      sourcePath: { job.sourcePath }
    )
    let attributes = attributes(of: subject)
    let permissions = keepOwner(
      of: subject,
      from: source,
      over: currentOwner(of: subject, job, existing)
    )
    let keepsOwner = keepOwner(of: target)
    copyAttributes(attributes.names, of: subject)
    if permissions == nil {
      // It stays as closed as it is.
    } else if options.preserved.contains(.mode), let permissions {
      let mayHaveList = existing != nil || job.directory.defaultAccess != nil
      let kept = keepsOwner ? permissions : permissions & 0o777
      setAccess(of: subject, kept, attributes, mayHaveList: mayHaveList)
    } else if let replaced = target.replaced {
      // The group's bits of a file with an access list are not its group's, and without its owner
      // they were meant for another group.
      let isGroup = keepsOwner && !target.replacedHasList
      let permissions = replaced.permissions & (isGroup ? 0o777 : 0o707)
      // The rights that the directory hands on were none of the old file's.
      setAccess(of: subject, permissions, SourceAttributes(), mayHaveList: true)
    } else if existing == nil {
      setPlainMode(of: target, subject, job, from: source)
    }
    if options.preserved.contains(.timestamps) { setTimes(of: subject, from: source) }
  }

  /// Sets what describes a directory, after everything in it is done.
  func setMetadata(
    of directory: CopyDirectory,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    let (source, found) = (directory.source, directory.destination)
    let subject = DescribedFile(
      file: pair.destination,
      device: found.identity.device,
      source: pair.source,
      worker: worker,
      path: { directory.destinationPath("") },
      sourcePath: { directory.sourcePath("") }
    )
    let attributes = attributes(of: subject)
    let permissions = keepOwner(of: subject, from: source, over: (found.owner, found.group))
    copyAttributes(attributes.names, of: subject)
    if permissions == nil {
      // It stays as closed as it is.
    } else if options.preserved.contains(.mode), let permissions {
      // A new directory lost its lists when it was made.
      let mayHaveList = !directory.isNew
      setInheritedList(of: subject, attributes, mayHaveList: mayHaveList)
      // What the file system shows may not be what it was asked for.
      let isClosed = directory.isNew && permissions != openingMode(for: source)
      if isClosed || permissions != found.permissions || mayHaveList
        || attributes.accessList != nil
      {
        setAccess(of: subject, permissions, attributes, mayHaveList: mayHaveList)
      }
    } else if directory.isNew {
      let mask = creationMask(in: directory.parent ?? directory)
      // A directory inside one that hands on its group keeps doing so.
      let inherited = found.permissions & 0o2000
      let plain = plainPermissions(for: source) & 0o1777 & ~mask | inherited
      let created = openingMode(for: source) & ~mask | 0o700 | inherited
      let isShown = places.withLock { $0[found.identity.device].setsModes ?? false }
      if plain != created || isShown && plain != found.permissions {
        setPermissions(of: subject, plain)
      }
    }
    if options.preserved.contains(.timestamps) { setTimes(of: subject, from: source) }
    if let place = directory.parent, place.destination.identity == found.identity {
      place.resetInheritedAttributes(defaultAccess: (try? pair.destination.defaultAccess()) ?? nil)
    }
  }

  /// Sets what describes a new symbolic link, FIFO, socket or device.
  func setMetadata(
    ofSpecial job: FileJob,
    from source: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    if options.preserved.isSubset(of: .links) { return }
    do throws(SystemError) {
      // A handle opens nothing; what is done goes to the file that has the name now, or to none.
      let file = try openHandle(job, in: pair)
      let found = try file.borrowed.status()
      if found.kind != source.kind { throw .staleFileHandle }
      var subject = DescribedFile(
        file: file.borrowed,
        device: found.identity.device,
        worker: worker,
        path: { job.destinationPath },
        sourcePath: { job.sourcePath }
      )
      if let original = try handle(ofSpecial: job, source, in: pair) {
        subject.source = original.borrowed
        describe(subject, job, from: source, found)
      } else {
        describe(subject, job, from: source, found)
      }
    } catch {
      fail(CopyError(.status, job.destinationPath, error), worker)
    }
  }

  /// Opens a handle of the file that has a job's name, although another copy may be replacing it.
  private func openHandle(
    _ job: FileJob,
    in pair: DirectoryPair
  ) throws(SystemError) -> OwnedDescriptor {
    for attempt in 1..<ContestedNames.linkAttempts {
      do throws(SystemError) {
        return try pair.destination.open(job.destinationName, [.path, .noFollow])
      } catch .noSuchFileOrDirectory {
        // On a busy machine the other copy may not run for long.
        _ = usleep(.random(in: 0...UInt32(attempt) * 2000))
      }
    }
    return try pair.destination.open(job.destinationName, [.path, .noFollow])
  }

  private func describe(
    _ subject: DescribedFile,
    _ job: FileJob,
    from source: FileStatus,
    _ found: FileStatus
  ) {
    let isLink = source.kind == .symbolicLink
    let attributes = attributes(of: subject, isLink: isLink)
    let permissions = keepOwner(of: subject, from: source, over: (found.owner, found.group))
    copyAttributes(attributes.names, of: subject)
    if isLink || permissions == nil {
      // A link has no mode, and what is not its owner's stays as closed as it is.
    } else if options.preserved.contains(.mode), let permissions {
      let mayHaveList = job.directory.defaultAccess != nil
      let isClosed = permissions & 0o077 != 0
      if isClosed || mayHaveList || permissions != found.permissions
        || attributes.accessList != nil
      {
        setAccess(of: subject, permissions, attributes, mayHaveList: mayHaveList)
      }
    } else if options.preserved.contains(.ownership) {
      // It was closed until it had its owner.
      let mask = creationMask(in: job.directory)
      setPermissions(of: subject, plainPermissions(for: source) & 0o777 & ~mask)
    }
    if options.preserved.contains(.timestamps) { setTimes(of: subject, from: source) }
  }

  /// The source of a link or special file, held so that nobody can put another one in its place;
  /// nil where nothing more is asked of it.
  private func handle(
    ofSpecial job: FileJob,
    _ source: FileStatus,
    in pair: DirectoryPair
  ) throws(SystemError) -> OwnedDescriptor? {
    let requested: PreservedAttributes =
      source.kind == .symbolicLink
      ? [.extendedAttributes, .securityContext] : [.extendedAttributes, .securityContext, .mode]
    if options.preserved.isDisjoint(with: requested) { return nil }
    let flags: OpenFlags = job.followsSource ? [.path] : [.path, .noFollow]
    let handle = try pair.source.open(job.sourceName, flags)
    if try handle.borrowed.status().identity != source.identity { throw .staleFileHandle }
    return handle
  }

  /// The permission bits that a new file gets where modes are not preserved, before the mask.
  func plainPermissions(for source: FileStatus) -> UInt32 {
    guard options.usesPlainModes else { return source.permissions }
    switch source.kind {
    case .directory, .socket: return 0o777
    default: return 0o666
    }
  }

  /// Whom a file belongs to: the first one in a directory tells it for all new ones.
  private func currentOwner(
    of subject: DescribedFile,
    _ job: FileJob,
    _ existing: FileStatus?
  ) -> (UInt32, UInt32)? {
    if let existing { return (existing.owner, existing.group) }
    if let known = job.directory.newcomerOwner { return known }
    guard let status = try? subject.file.status() else { return nil }
    job.directory.learnNewcomer(owner: status.owner, group: status.group)
    return (status.owner, status.group)
  }

  /// Takes rights from an overwritten file that will get its source's mode, before the first byte:
  /// whoever could read the old file may not be meant to read the new one, nor may the old mode
  /// serve the new owner.
  func narrow(_ target: borrowing CopyTarget, for source: FileStatus) {
    guard let existing = target.existing, existing.kind == .regular,
      options.preserved.contains(.mode)
    else { return }
    var narrow = existing.permissions & source.permissions & 0o700
    // Attributes can be set on what may be written to only; a copy that must not be is closed last.
    if options.preserved.contains(.extendedAttributes) { narrow |= 0o200 }
    // Who may write to a file without owning it is told when its mode is to be set in the end.
    if narrow != existing.permissions { try? target.file.setPermissions(narrow) }
  }

  /// Sets a file's owner and group to those of the source if requested and not set yet;
  /// `owner` is nil for one that is not known.
  ///
  /// - Returns: The mode that may follow: the source's, without set-id bits if its owner could not
  ///   be set, nil where that was told as a failure.
  private func keepOwner(
    of subject: DescribedFile,
    from source: FileStatus,
    over owner: @autoclosure () -> (UInt32, UInt32)?
  ) -> UInt32? {
    guard options.preserved.contains(.ownership) else { return source.permissions }
    if let owner = owner(), owner == (source.owner, source.group) { return source.permissions }
    do throws(SystemError) {
      try subject.file.setOwnerOfHandle(source.owner, group: source.group)
      return source.permissions
    } catch {
      let isForbidden = error == .notPermitted || error == .invalidArgument
      if isForbidden { try? subject.file.setOwnerOfHandle(.max, group: source.group) }
      // Only the superuser may give files away; for others it is no failure that they may not.
      if isForbidden && !isSuperuser { return source.permissions & 0o777 }
      fail(CopyError(.setOwnership, subject.path(), error), subject.worker)
      return nil
    }
  }

  private func setTimes(of subject: DescribedFile, from source: FileStatus) {
    do throws(SystemError) {
      try subject.file.setTimesOfHandle(accessed: source.accessed, modified: source.modified)
    } catch {
      fail(CopyError(.setTimes, subject.path(), error), subject.worker)
    }
  }
}
