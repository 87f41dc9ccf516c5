import IOChannelsSystem

/// Extended attributes and access lists.
extension MetadataWriter {
  /// Whether sources are examined for more than their status.
  var readsAttributes: Bool {
    !options.metadata.preserved.isDisjoint(with: [.mode, .extendedAttributes, .securityContext])
  }

  /// Whether a file may have an attribute or access list that a copy receives or loses.
  func mayHaveAttributes(_ file: BorrowedDescriptor) -> Bool {
    guard readsAttributes else { return false }
    // A list of names may be too long to be read.
    guard let names = try? file.attributeNames() else { return true }
    return names.contains { name in
      name == AccessList.access || name == AccessList.inherited
        || attributeRules.copies(name, options.metadata.preserved)
    }
  }

  /// Whether a file would get an access list or an attribute of another value than its own, such as
  /// a capability, or whether that is unknown.
  func givesRights(to file: BorrowedDescriptor, from source: BorrowedDescriptor) -> Bool {
    guard readsAttributes else { return false }
    do throws(SystemError) {
      for name in try source.attributeNames()
      where name == AccessList.access || attributeRules.copies(name, options.metadata.preserved) {
        if try file.attribute(name) != source.attribute(name) { return true }
      }
      return false
    } catch {
      return true
    }
  }

  /// Returns the attributes of a source, by one call for a file that has none; nil if none are
  /// preserved.
  func attributes(
    of subject: borrowing DescribedFile,
    _ item: CopyItem,
    isLink: Bool = false
  ) -> SourceAttributes? {
    guard readsAttributes, let source = subject.source else { return nil }
    var found = SourceAttributes()
    let preserved = options.metadata.preserved
    var names: [BytePath]?
    do throws(SystemError) {
      names = try source.attributeNames()
    } catch {
      if !preserved.isDisjoint(with: [.extendedAttributes, .securityContext]) {
        reportLoss(CopyError(.listAttributes, item.sourcePath, error), item)
      }
    }
    found.names = names ?? []
    guard preserved.contains(.mode), !isLink else { return found }
    do throws(SystemError) {
      // The names may be unknown, because their list is longer than the kernel returns. The access
      // lists can be read without it.
      if names?.contains(AccessList.access) ?? true {
        found.accessList = try source.accessList()
      }
      if names?.contains(AccessList.inherited) ?? true {
        found.inheritedList = try source.accessList(AccessList.inherited)
      }
    } catch {
      found.isUnknown = true
      item.worker.fail(CopyError(.readPermissions, item.sourcePath, error))
    }
    return found
  }

  /// Copies extended attributes.
  ///
  /// The owner must be set before, because a change of it removes capabilities, and the file must
  /// still be writable.
  func copyAttributes(_ names: [BytePath], of subject: borrowing DescribedFile, _ item: CopyItem) {
    guard let source = subject.source else { return }
    var isUnsupported = false
    for name in names where attributeRules.copies(name, options.metadata.preserved) {
      let value: [UInt8]
      do throws(SystemError) {
        value = try source.attribute(name)
      } catch {
        reportLoss(CopyError(.readAttribute, item.sourcePath, other: name, error), item)
        continue
      }
      do throws(SystemError) {
        try subject.file.setAttribute(name, to: value)
      } catch .notSupported {
        isUnsupported = true
      } catch {
        reportLoss(CopyError(.setAttribute, item.destinationPath, other: name, error), item)
      }
    }
    // One message is enough for a file system that stores none of a kind.
    if isUnsupported {
      reportLoss(CopyError(.setAttributes, item.destinationPath, .notSupported), item)
    }
  }

  /// Reports an attribute that is not copied as the options demand, but an error of the disk always
  /// as a failure.
  private func reportLoss(_ problem: CopyError, _ item: CopyItem) {
    if problem.error?.isOfDevice ?? false { return item.worker.fail(problem) }
    let isUnsupported = problem.error == .notSupported || problem.error == .noData
    switch options.metadata.attributeLoss {
    case .failing: item.worker.fail(problem)
    // If only attributes are copied, each of them matters.
    case .warned where !isUnsupported || !options.contents.copiesBytes: context.warn(problem)
    case .ignored where !options.contents.copiesBytes: context.warn(problem)
    case .warned, .ignored: break
    }
  }

  /// Sets the mode of a file and the access list of its source, which replaces another list.
  ///
  /// The group bits of `permissions` are the most that a list grants. `mayHaveList` states that the
  /// file may have a list of its own or of its directory.
  func setAccess(
    of subject: borrowing DescribedFile,
    _ item: CopyItem,
    _ permissions: UInt32,
    _ attributes: SourceAttributes?,
    mayHaveList: Bool
  ) {
    // A list that is unknown may deny any right of other users.
    var permissions = attributes?.isUnknown ?? false ? permissions & 0o7700 : permissions
    do throws(SystemError) {
      if let list = attributes?.accessList {
        do throws(SystemError) {
          try subject.file.setAttribute(AccessList.access, to: list.bytes)
        } catch .notSupported {
          // Without the list, the group would get the rights of everyone in the list.
          permissions = permissions & 0o7000 | list.plainPermissions
          item.fail(.setPermissions, .notSupported)
        }
      } else if mayHaveList, try replaceAccessList(of: subject, by: permissions) {
        return
      }
    } catch {
      // The remaining list would grant rights as soon as the mode allows it.
      item.fail(.setPermissions, error)
      return
    }
    setPermissions(of: subject, item, permissions)
  }

  /// Removes the access list of a file, if it has one.
  ///
  /// Where lists and modes are certainly one, a list without named users is the mode, and one call
  /// sets it.
  ///
  /// - Returns: Whether the file has the permission bits too.
  private func replaceAccessList(
    of subject: borrowing DescribedFile,
    by permissions: UInt32
  ) throws(SystemError) -> Bool {
    guard subject.system.kind(of: subject.file).keepsTimes else {
      try subject.file.dropAccessList()
      return false
    }
    do throws(SystemError) {
      let list = AccessList(permissions: permissions)
      try subject.file.setAttribute(AccessList.access, to: list.bytes)
      return permissions & 0o7000 == 0
    } catch {
      // A file system without lists refuses. Any other error shows again.
      try subject.file.dropAccessList()
      return false
    }
  }

  /// Sets the mode and the access lists of a directory, unless it has them.
  func setAccess(
    ofDirectory subject: borrowing DescribedFile,
    _ item: CopyItem,
    _ permissions: UInt32,
    _ attributes: SourceAttributes?
  ) {
    let (directory, isOwned) = (item.directory, item.control.isOwned)
    let (source, found) = (directory.source, directory.destination)
    // A new directory lost its lists when it was created, unless another one has its name.
    let mayHaveList = !directory.isNew || !isOwned
    setInheritedList(of: subject, item, attributes, mayHaveList: mayHaveList)
    // The file system may report another mode than the one that was requested.
    let isClosed = directory.isNew && permissions != context.modes.openingMode(for: source)
    if isClosed || permissions != found.permissions || mayHaveList || attributes?.accessList != nil
    {
      setAccess(of: subject, item, permissions, attributes, mayHaveList: mayHaveList)
    }
  }

  /// Gives a directory the default access list of its source, or none.
  private func setInheritedList(
    of subject: borrowing DescribedFile,
    _ item: CopyItem,
    _ attributes: SourceAttributes?,
    mayHaveList: Bool
  ) {
    do throws(SystemError) {
      if let list = attributes?.inheritedList {
        try subject.file.setAttribute(AccessList.inherited, to: list.bytes)
      } else if mayHaveList && !(attributes?.isUnknown ?? false) {
        try subject.file.dropAccessList(AccessList.inherited)
      }
    } catch {
      item.fail(.setPermissions, error)
    }
  }
}

extension SystemError {
  /// Whether an error comes from the state of a disk or of the system, and not from its abilities
  /// or the rights of the process.
  fileprivate var isOfDevice: Bool {
    switch self {
    case .ioError, .noMemory, .noSpace, .quotaExceeded, .readOnlyFileSystem, .interrupted,
      .staleFileHandle, .noSuchFileOrDirectory:
      true
    default: false
    }
  }
}
