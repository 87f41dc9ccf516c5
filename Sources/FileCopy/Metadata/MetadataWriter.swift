import IOChannelsSystem

/// The writer of the metadata of files: owner, extended attributes, access list and mode, times.
///
/// The owner is first, because a change of it clears set-id bits and capabilities. The times are
/// last, so that an incomplete file is never taken for a complete one.
final class MetadataWriter: Sendable {
  let options: CopyOptions
  let context: CopyContext
  let attributeRules: AttributeRules

  init(_ context: CopyContext) {
    self.context = context
    options = context.options
    attributeRules = AttributeRules.ofSystem(for: context.options)
  }

  /// Sets the metadata of a regular file.
  ///
  /// With ``CopyOptions/Existing/resumes``, a copy that is doubtful or whose metadata cannot be set
  /// gets a time that no rerun takes for that of a complete copy.
  func describe(
    _ target: borrowing DestinationFile,
    _ item: CopyItem,
    from source: borrowing SourceFile,
    isDoubtful: Bool = false
  ) {
    let failures = item.worker.report.failureCount
    let existing = target.existing
    // A device or FIFO that was written to keeps its metadata.
    if let existing, existing.kind != .regular { return }
    let subject = DescribedFile(
      file: target.file,
      source: source.file,
      system: existing == nil ? item.destinationSystem : system(of: existing, item)
    )
    let status = source.status
    if isForeign(subject, item, existing, from: status) { return }
    let attributes = readsAttributes ? attributes(of: subject, item) : nil
    let permissions = keepOwner(
      of: subject,
      item,
      from: status,
      over: currentOwner(of: subject, item, existing)
    )
    let keepsOwner = keepReplacedOwner(of: target)
    if let attributes { copyAttributes(attributes.names, of: subject, item) }
    if permissions == nil {
      setClosedMode(of: target, subject, item, from: status)
    } else if options.metadata.preserved.contains(.mode), let permissions {
      let mayHaveList = existing != nil || mayInheritList(item)
      let kept = keepsOwner ? permissions : permissions & 0o777
      setAccess(of: subject, item, kept, attributes, mayHaveList: mayHaveList)
    } else if let replaced = target.replaced {
      // The group bits of a file with an access list are not those of its group. Without the former
      // owner they were meant for another group.
      let isGroup = keepsOwner && !replaced.hasList
      let permissions = replaced.status.permissions & (isGroup ? 0o777 : 0o707)
      // The old file did not have the rights of the directory's default list.
      setAccess(of: subject, item, permissions, nil, mayHaveList: true)
    } else if existing == nil {
      setPlainMode(of: target, subject, item, from: status)
    }
    guard options.metadata.preserved.contains(.timestamps) else { return }
    var times = status
    if options.existing.resumes && (isDoubtful || item.worker.report.failureCount > failures) {
      times.modified = ResumeRule.doubtfulTime(for: status.modified)
    }
    setTimes(of: subject, item, from: times)
  }

  /// Returns the file system of a file in the destination, which may be a mount point.
  private func system(of found: FileStatus?, _ item: CopyItem) -> KnownFileSystem {
    guard let device = found?.identity.device, device != item.destinationSystem.device else {
      return item.destinationSystem
    }
    return context.systems.system(device)
  }

  /// Completes a directory after everything in it is complete: sets the metadata of its source, or
  /// gives it the mode back that was widened for the copy.
  func complete(_ directory: CopyDirectory, in pair: DirectoryPair, _ worker: CopyWorker) {
    if releases(directory) {
      context.releases.release { setMetadata(of: directory, in: pair, worker) }
    } else {
      setMetadata(of: directory, in: pair, worker)
    }
  }

  /// Whether the metadata of a directory give it, or the right to write to it, to other users.
  private func releases(_ directory: CopyDirectory) -> Bool {
    let (source, preserved) = (directory.source, options.metadata.preserved)
    if preserved.contains(.ownership) && source.owner != ProcessLimits.effectiveUser { return true }
    let mask = context.modes.creationMask(under: directory.defaultAccess)
    let mode =
      preserved.contains(.mode) ? source.permissions : context.modes.plainPermissions(for: source)
    return mode & ~mask & 0o022 != 0
  }

  private func setMetadata(
    of directory: CopyDirectory,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    let item = CopyItem(itself: directory, in: pair, worker)
    let subject = DescribedFile(
      file: pair.destination,
      source: pair.source,
      system: directory.systems.destination
    )
    let setsMode = !directory.has(.keepsMetadata) && describe(directory: subject, item)
    if directory.isWidened && !setsMode {
      setPermissions(of: subject, item, directory.destination.permissions)
    }
  }

  /// Sets the metadata of a directory.
  ///
  /// With ``CopyOptions/Existing/resumes``, a directory whose metadata cannot be set gets a time
  /// that makes a rerun set them again.
  ///
  /// - Returns: Whether it has the mode of its source.
  private func describe(directory subject: borrowing DescribedFile, _ item: CopyItem) -> Bool {
    let (directory, pair) = (item.directory, item.pair)
    if isComplete(directory, in: pair) { return false }
    let failures = item.worker.report.failureCount
    let (source, found) = (directory.source, directory.destination)
    if !directory.isNew && isForeign(subject, item, found, from: source) { return false }
    var setsMode = false
    let attributes = attributes(of: subject, item)
    let owner = item.control.isOwned ? (found.owner, found.group) : nil
    let permissions = keepOwner(of: subject, item, from: source, over: owner)
    if let attributes { copyAttributes(attributes.names, of: subject, item) }
    if permissions == nil {
      // The directory stays as closed as it is.
    } else if options.metadata.preserved.contains(.mode), let permissions {
      let before = item.worker.report.failureCount
      setAccess(ofDirectory: subject, item, permissions, attributes)
      setsMode = item.worker.report.failureCount == before
    } else if directory.isNew {
      setPlainMode(ofDirectory: subject, item)
    }
    if options.metadata.preserved.contains(.timestamps) {
      var times = source
      if options.existing.resumes && item.worker.report.failureCount > failures {
        times.modified = ResumeRule.doubtfulTime(for: source.modified)
      }
      setTimes(of: subject, item, from: times)
    }
    if let place = directory.parent, place.destination.identity == found.identity {
      place.resetInheritedAttributes(defaultAccess: (try? pair.destination.defaultAccess()) ?? nil)
    }
    return setsMode
  }

  /// Whether an existing directory has the metadata of its source, as far as the status of both
  /// shows it, and neither has attributes or access lists.
  ///
  /// A rerun without this check would change the status of each directory on the disk. A directory
  /// that was widened shows another mode than its own.
  private func isComplete(_ directory: CopyDirectory, in pair: DirectoryPair) -> Bool {
    guard options.existing.resumes, !directory.isNew, !directory.isWidened,
      options.metadata.preserved.contains(.timestamps),
      let found = try? pair.destination.status()
    else { return false }
    let change = MetadataChange(context, directory, in: pair, found)
    if change.isPossibleForDirectory { return false }
    // Other file systems may invent the times, or store owners and modes only in part.
    let systems = directory.systems
    return systems.source.kind(of: pair.source).keepsTimes
      && systems.destination.kind(of: pair.destination).keepsTimes
      && !mayHaveAttributes(pair.source) && !mayHaveAttributes(pair.destination)
  }

  /// Whether a symbolic link or special file gets metadata after its creation.
  func describesSpecial(_ item: CopyItem) -> Bool {
    !options.metadata.preserved.isSubset(of: .links) || dropsInheritedList(item)
  }

  /// Whether a special file gets its metadata where other users could replace it by its name.
  ///
  /// Other file systems may report other owners and modes than those that they check.
  func needsEnclosure(_ item: CopyItem) -> Bool {
    describesSpecial(item) && !item.control.isPrivate
      && item.destinationSystem.kind(of: item.pair.destination).keepsTimes
  }

  /// Whether a new file may have inherited an access list that it loses, although its mode is not
  /// preserved.
  func dropsInheritedList(_ item: CopyItem) -> Bool {
    context.modes.dropsInheritedLists && mayInheritList(item)
  }

  /// Sets the metadata of a new symbolic link, FIFO, socket or device, which has its final name,
  /// or a hidden one in a directory.
  ///
  /// A special file gets rights only in a directory in which no other user can rename it.
  ///
  /// - Returns: False if another process has removed the name.
  func describeSpecial(
    _ item: CopyItem,
    as hiddenName: (BorrowedDescriptor, BytePath)? = nil,
    from source: FileStatus
  ) -> Bool {
    let isDescribed = describesSpecial(item)
    if !isDescribed && item.job.linkedFile == nil { return true }
    let (directory, name) = hiddenName ?? (item.pair.destination, item.job.destinationName)
    do throws(SystemError) {
      // A handle opens no device. It stays with the file that has the name now.
      guard let file = try openHandle(name, in: directory) else { return false }
      let found = try file.borrowed.status()
      let isCertain =
        found.kind == source.kind
        && isProtected(file.borrowed, named: name, in: directory, item, from: source)
      if !isDescribed && !isCertain { return true }
      if !isCertain { throw .staleFileHandle }
      defer {
        if let copy = item.job.linkedFile?.copy, let now = try? file.borrowed.status() {
          copy.record(now)
        }
      }
      if !isDescribed { return true }
      var subject = DescribedFile(file: file.borrowed, system: system(of: found, item))
      if let original = try openSourceHandle(item, source) {
        subject.source = original.borrowed
        describe(subject, item, from: source, found)
      } else {
        describe(subject, item, from: source, found)
      }
    } catch {
      item.fail(CopyError(.status, item.destinationPath, error))
    }
    return true
  }

  /// Whether a handle is certainly that of the file that this copy created under a name.
  ///
  /// No other user can rename files in an enclosure or in a private directory. Elsewhere a symbolic
  /// link with the target of the source is as good as the created one. Other file systems may
  /// report other owners and modes than those that they check.
  private func isProtected(
    _ file: BorrowedDescriptor,
    named name: BytePath,
    in directory: BorrowedDescriptor,
    _ item: CopyItem,
    from source: FileStatus
  ) -> Bool {
    if directory.rawValue != item.pair.destination.rawValue || item.control.isPrivate {
      return true
    }
    if !item.destinationSystem.kind(of: directory).keepsTimes { return true }
    if source.kind != .symbolicLink { return false }
    let length = Int(clamping: source.size)
    let target = try? item.pair.source.target(ofLink: item.job.sourceName, length: length)
    return target != nil && target == (try? file.target(ofLink: "", length: length))
  }

  private func describe(
    _ subject: borrowing DescribedFile,
    _ item: CopyItem,
    from source: FileStatus,
    _ found: FileStatus
  ) {
    let isLink = source.kind == .symbolicLink
    let attributes = attributes(of: subject, item, isLink: isLink)
    let permissions = keepOwner(of: subject, item, from: source, over: (found.owner, found.group))
    if let attributes { copyAttributes(attributes.names, of: subject, item) }
    if isLink || permissions == nil {
      // A link has no mode. A file without its owner stays as closed as it is.
    } else if options.metadata.preserved.contains(.mode), let permissions {
      let mayHaveList = mayInheritList(item)
      let isClosed = permissions & 0o077 != 0
      if isClosed || mayHaveList || permissions != found.permissions
        || attributes?.accessList != nil
      {
        setAccess(of: subject, item, permissions, attributes, mayHaveList: mayHaveList)
      }
    } else {
      let changesOwner = options.metadata.preserved.contains(.ownership)
      let mayHaveList = dropsInheritedList(item)
      if changesOwner || mayHaveList {
        // The file was closed until it had its owner. With cp the change of the owner clears the
        // set-user-ID bit.
        let kept: UInt32 = changesOwner ? 0o3777 : 0o7777
        let mode = context.modes.plainPermissions(for: source) & ~creationMask(of: subject, item)
        setAccess(of: subject, item, mode & kept, nil, mayHaveList: mayHaveList)
      }
    }
    if options.metadata.preserved.contains(.timestamps) {
      setTimes(of: subject, item, from: source)
    }
  }

  /// Whether a new file may have inherited an access list from its directory.
  ///
  /// Another user who owns the directory may have set one at any time.
  private func mayInheritList(_ item: CopyItem) -> Bool {
    item.directory.defaultAccess != nil || !item.control.isOwned
  }

  /// Opens a handle of a file in the destination; nil if no file has the name.
  private func openHandle(
    _ name: BytePath,
    in directory: BorrowedDescriptor
  ) throws(SystemError) -> OwnedDescriptor? {
    do throws(SystemError) {
      return try directory.open(name, [.path, .noFollow])
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Opens a handle of the source of a link or special file, so that no other file can take its
  /// place; nil if nothing but its status is needed.
  private func openSourceHandle(
    _ item: CopyItem,
    _ source: FileStatus
  ) throws(SystemError) -> OwnedDescriptor? {
    let requested: PreservedAttributes =
      source.kind == .symbolicLink
      ? [.extendedAttributes, .securityContext] : [.extendedAttributes, .securityContext, .mode]
    if options.metadata.preserved.isDisjoint(with: requested) { return nil }
    let flags: OpenFlags = item.job.followsSource ? [.path] : [.path, .noFollow]
    let handle = try item.pair.source.open(item.job.sourceName, flags)
    if try handle.borrowed.status().identity != source.identity { throw .staleFileHandle }
    return handle
  }

  /// Whether another user owns an existing file, so that this process cannot set its metadata.
  ///
  /// As with cp, only the times are reported then, and not the mode too.
  private func isForeign(
    _ subject: borrowing DescribedFile,
    _ item: CopyItem,
    _ existing: FileStatus?,
    from source: FileStatus
  ) -> Bool {
    guard let existing, existing.owner != ProcessLimits.effectiveUser, !context.isSuperuser,
      options.metadata.preserved.contains(.timestamps)
    else { return false }
    return !setTimes(of: subject, item, from: source)
  }

  /// Sets both times, and reports a failure.
  ///
  /// - Returns: Whether they could be set.
  @discardableResult
  private func setTimes(
    of subject: borrowing DescribedFile,
    _ item: CopyItem,
    from source: FileStatus
  ) -> Bool {
    do throws(SystemError) {
      try subject.file.setTimesOfHandle(accessed: source.accessed, modified: source.modified)
      return true
    } catch {
      item.fail(.setTimes, error)
      return false
    }
  }
}
