import SystemCalls

extension CopySession {
  /// Sets what describes a regular file: owner, then mode, which the owner's change may clear, then
  /// times, which are last so that an unfinished file is never taken for a finished one.
  ///
  /// An overwritten file gives in `existing` what it was before.
  func setMetadata(
    of file: BorrowedDescriptor,
    _ job: FileJob,
    from source: FileStatus,
    over existing: FileStatus?,
    _ worker: CopyWorker
  ) {
    // A device or FIFO that is written to is not made the source's twin.
    if let existing, existing.kind != .regular { return }
    let subject = Subject(file: file, worker: worker) { job.destinationPath }
    var permissions = source.permissions
    let mayHaveList = existing != nil || job.directory.defaultAccess != nil
    let isClosed = !mayHaveList || removeAccessList(of: subject)
    if options.preserved.contains(.ownership),
      currentOwner(of: subject, job, existing) ?? (.max, .max) != (source.owner, source.group),
      !setOwner(of: subject, from: source)
    {
      permissions &= 0o777
    }
    if options.preserved.contains(.mode) {
      if isClosed { setPermissions(of: subject, permissions) }
    } else if existing == nil {
      setPermissions(of: subject, permissions & 0o777 & ~creationMask(in: job.directory))
    }
    if options.preserved.contains(.timestamps) { setTimes(of: subject, from: source) }
  }

  /// Sets what describes a directory, after everything in it is done.
  func setMetadata(
    of directory: CopyDirectory,
    _ descriptor: BorrowedDescriptor,
    _ worker: CopyWorker
  ) {
    let (source, found) = (directory.source, directory.destination)
    let subject = Subject(file: descriptor, worker: worker) { directory.destinationPath("") }
    var permissions = source.permissions
    if options.preserved.contains(.ownership),
      (found.owner, found.group) != (source.owner, source.group),
      !setOwner(of: subject, from: source)
    {
      permissions &= 0o777
    }
    // A new directory lost its list when it was made.
    let isClosed = directory.isNew || removeAccessList(of: subject, withDefault: true)
    if !options.preserved.contains(.mode) {
      let mask = creationMask(in: directory.parent ?? directory)
      // A directory inside one that hands on its group keeps doing so.
      permissions =
        directory.isNew
        ? permissions & 0o1777 & ~mask | found.permissions & 0o2000 : found.permissions
    }
    if isClosed && permissions != found.permissions { setPermissions(of: subject, permissions) }
    if options.preserved.contains(.timestamps) { setTimes(of: subject, from: source) }
  }

  /// Sets what describes a new symbolic link, FIFO, socket or device.
  func setMetadata(
    ofSpecial job: FileJob,
    from source: FileStatus,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    if options.preserved.isDisjoint(with: [.mode, .ownership, .timestamps]) { return }
    do throws(Errno) {
      // A handle opens nothing; what is done goes to the file that has the name now, or to none.
      let file = try pair.destination.open(job.destinationName, [.path, .noFollow])
      let found = try file.borrowed.status()
      if found.kind != source.kind { throw .staleFileHandle }
      let subject = Subject(file: file.borrowed, worker: worker) { job.destinationPath }
      var permissions = source.permissions
      if options.preserved.contains(.ownership),
        (found.owner, found.group) != (source.owner, source.group),
        !setOwner(of: subject, from: source)
      {
        permissions &= 0o777
      }
      if options.preserved.contains(.mode), source.kind != .symbolicLink,
        job.directory.defaultAccess == nil || removeAccessList(of: subject),
        permissions != found.permissions
      {
        setPermissions(of: subject, permissions)
      }
      if options.preserved.contains(.timestamps) { setTimes(of: subject, from: source) }
    } catch {
      fail(CopyError(.status, job.destinationPath, error), worker)
    }
  }

  /// A file whose description is set, and who hears of failures.
  private struct Subject {
    var file: BorrowedDescriptor
    var worker: CopyWorker
    var path: () -> FilePath
  }

  /// Whom a file belongs to: the first one in a directory tells it for all new ones.
  private func currentOwner(
    of subject: Subject,
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
    let narrow = existing.permissions & source.permissions & 0o700
    // Who may write to a file without owning it is told when its mode is to be set in the end.
    if narrow != existing.permissions { try? target.file.setPermissions(narrow) }
  }

  /// Leaves the mode alone to say who may do what, where modes are preserved: a list that the file
  /// got from its directory, or had before, would take the mode's group bits for its own.
  ///
  /// - Returns: False when the list is still there and the mode must not be set.
  private func removeAccessList(of subject: Subject, withDefault: Bool = false) -> Bool {
    guard options.preserved.contains(.mode) else { return true }
    do throws(Errno) {
      if withDefault {
        do throws(Errno) {
          try subject.file.removeDefaultAccessList()
        } catch .badFileDescriptor {
          // A directory that may not be read keeps what it hands on.
        }
      }
      try subject.file.removeAccessList()
      return true
    } catch {
      fail(CopyError(.setPermissions, subject.path(), error), subject.worker)
      return false
    }
  }

  /// Gives a file to the source's owner and group, or to the group alone.
  ///
  /// - Returns: False when that failed; set-id bits must not be kept then.
  private func setOwner(of subject: Subject, from source: FileStatus) -> Bool {
    do throws(Errno) {
      try subject.file.setOwnerOfHandle(source.owner, group: source.group)
      return true
    } catch {
      // Only the superuser may give files away; for others it is no failure that they may not.
      if isSuperuser || (error != .notPermitted && error != .invalidArgument) {
        fail(CopyError(.setOwnership, subject.path(), error), subject.worker)
      } else {
        try? subject.file.setOwnerOfHandle(.max, group: source.group)
      }
      return false
    }
  }

  private func setPermissions(of subject: Subject, _ permissions: UInt32) {
    do throws(Errno) {
      do throws(Errno) {
        try subject.file.setPermissions(permissions)
      } catch .badFileDescriptor {
        // What is only held, not open, takes the longer way.
        try subject.file.setPermissionsOfHandle(permissions)
      }
    } catch {
      fail(CopyError(.setPermissions, subject.path(), error), subject.worker)
    }
  }

  private func setTimes(of subject: Subject, from source: FileStatus) {
    do throws(Errno) {
      try subject.file.setTimesOfHandle(accessed: source.accessed, modified: source.modified)
    } catch {
      fail(CopyError(.setTimes, subject.path(), error), subject.worker)
    }
  }
}
