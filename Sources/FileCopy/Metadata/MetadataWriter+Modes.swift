import IOChannelsSystem

/// Modes, also on file systems that cannot change them.
extension MetadataWriter {
  /// Takes rights from an overwritten file that will get its source's mode, before the first byte.
  ///
  /// A user who could read the old file may not be meant to read the new contents, and the old mode
  /// is not meant for the new owner.
  func narrow(
    _ target: borrowing DestinationFile,
    over existing: FileStatus,
    _ item: CopyItem,
    for source: FileStatus
  ) {
    guard existing.kind == .regular, options.metadata.preserved.contains(.mode) else { return }
    var narrow = existing.permissions & source.permissions & 0o700
    // Attributes can be set only on a writable file. A copy that must not be writable is closed
    // last.
    if options.metadata.preserved.contains(.extendedAttributes) { narrow |= 0o200 }
    // Another owner could widen the mode again before the file gets the owner of the source.
    let isForeign = MetadataChange(item, source, existing).needsNewOwner
    if isForeign { try? target.file.setOwnerOfHandle(ProcessLimits.effectiveUser, group: .max) }
    // A user who may write to a file without owning it gets the error when the final mode is set.
    if isForeign || narrow != existing.permissions { try? target.file.setPermissions(narrow) }
  }

  /// Returns the permission bits that a new file does not get.
  ///
  /// Where another user may change the default access list of the directory, the file itself shows
  /// whether it had one when the file was created. The rights of the list are then a guess, which
  /// grants no more than the mode of the source.
  func creationMask(of subject: borrowing DescribedFile, _ item: CopyItem) -> UInt32 {
    let known = item.directory.defaultAccess
    let ignoresLists =
      options.metadata.preserved.contains(.mode) || context.modes.dropsInheritedLists
    if ignoresLists || item.control.isOwned {
      return context.modes.creationMask(under: known)
    }
    if subject.file.hasNoAccessList { return context.modes.creationMask(under: nil) }
    let access = known ?? (try? item.pair.destination.defaultAccess()) ?? nil
    return context.modes.creationMask(under: access)
  }

  /// Sets the mode of a new file for which no mode is preserved.
  func setPlainMode(
    of target: borrowing DestinationFile,
    _ subject: borrowing DescribedFile,
    _ item: CopyItem,
    from source: FileStatus
  ) {
    let mask = creationMask(of: subject, item)
    let plain = context.modes.plainPermissions(for: source) & 0o777 & ~mask
    if target.keepsMode && options.metadata.preserved.isDisjoint(with: .ownership) { return }
    if dropsInheritedList(item) {
      return setAccess(of: subject, item, plain, nil, mayHaveList: true)
    }
    if plain != FileCreator.closedMode { setPermissions(of: subject, item, plain) }
  }

  /// Gives the rights of the source's owner, and no other ones, to a new file whose owner could not
  /// be set, as cp does.
  func setClosedMode(
    of target: borrowing DestinationFile,
    _ subject: borrowing DescribedFile,
    _ item: CopyItem,
    from source: FileStatus
  ) {
    if target.existing != nil || target.keepsMode { return }
    let mask = context.modes.creationMask(under: item.directory.defaultAccess)
    let closed = context.modes.plainPermissions(for: source) & 0o700 & ~mask
    if closed != FileCreator.closedMode { setPermissions(of: subject, item, closed) }
  }

  /// Sets the mode of a new directory for which no mode is preserved.
  func setPlainMode(ofDirectory subject: borrowing DescribedFile, _ item: CopyItem) {
    let directory = item.directory
    let (source, found) = (directory.source, directory.destination)
    // A new directory inherits the default access list that applies to itself.
    let (modes, isOnPath) = (context.modes, directory.isOnPath)
    let mask = modes.creationMask(under: directory.defaultAccess, isOnPath: isOnPath)
    // A directory that inherited the set-group-ID bit keeps it.
    let inherited = found.permissions & 0o2000
    var plain = modes.plainPermissions(for: source) & 0o1777 & ~mask | inherited
    // As with cp 9.11, which sets the plain mode with the inherited bit and no other special bit.
    if options.metadata.usesPlainModes && inherited != 0 { plain &= ~0o1000 }
    if modes.dropsInheritedLists && !isOnPath && directory.defaultAccess != nil {
      // The default access list stays for the names that others create.
      return setAccess(of: subject, item, plain, nil, mayHaveList: true)
    }
    let created = modes.openingMode(for: source) & ~mask | 0o700 | inherited
    let isShown = subject.system.withAnswers { $0.setsModes } ?? false
    if plain != created || isShown && plain != found.permissions {
      setPermissions(of: subject, item, plain)
    }
  }

  /// Sets the permission bits, and reports a failure.
  func setPermissions(of subject: borrowing DescribedFile, _ item: CopyItem, _ permissions: UInt32)
  {
    do throws(SystemError) {
      try changeMode(of: subject, permissions)
    } catch {
      item.fail(.setPermissions, error)
    }
  }

  /// Sets the permission bits, as an access list where the file system refuses or ignores the plain
  /// call, as cp does.
  private func changeMode(of subject: borrowing DescribedFile, _ permissions: UInt32)
    throws(SystemError)
  {
    var refusal: SystemError?
    let isKnown = subject.system.withAnswers { answers in
      answers.setsModes != false && answers.modes.contains(permissions & 0o777)
    }
    let before = isKnown ? nil : (try? subject.file.status())?.mode
    do throws(SystemError) {
      try subject.file.setPermissionsOfAny(permissions)
    } catch {
      if !error.isRefusal { throw error }
      refusal = error
    }
    if refusal == nil && isKnown { return }
    guard let mode = (try? subject.file.status())?.mode else { return }
    let isSet = (mode ^ permissions) & 0o777 == 0
    if refusal == nil {
      subject.system.withAnswers { answers in
        // A mode that the file had before proves nothing.
        if before != mode || !isSet { answers.setsModes = isSet }
        if isSet && !answers.modes.contains(permissions & 0o777) {
          answers.modes.append(permissions & 0o777)
        }
      }
    }
    if isSet && (refusal == nil || !options.metadata.preserved.contains(.mode)) { return }
    try setModeByList(of: subject, permissions, refusal)
  }

  private func setModeByList(
    of subject: borrowing DescribedFile,
    _ permissions: UInt32,
    _ refusal: SystemError?
  ) throws(SystemError) {
    if options.metadata.preserved.contains(.mode) || options.isAtomic {
      do throws(SystemError) {
        let list = AccessList(permissions: permissions)
        try subject.file.setAttribute(AccessList.access, to: list.bytes)
        if permissions & 0o7000 == 0 { return }
      } catch {
        switch error {
        case .notSupported, .noFunction, .invalidArgument: break
        default: throw error
        }
      }
    }
    if let refusal { throw refusal }
  }
}

extension BorrowedDescriptor {
  /// Whether the file certainly has no access list.
  var hasNoAccessList: Bool {
    (try? accessList() == nil) ?? false
  }

  /// Removes an access list. A refusal is an error only if the file has a list.
  func dropAccessList(_ kind: BytePath = AccessList.access) throws(SystemError) {
    do throws(SystemError) {
      try removeAccessList(kind)
    } catch {
      guard error.isRefusal, try accessList(kind) == nil else { throw error }
    }
  }
}
