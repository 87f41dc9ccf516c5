import IOChannelsSystem

extension CopySession {
  /// Whether sources are looked at for more than their status.
  var readsAttributes: Bool {
    !options.preserved.isDisjoint(with: [.mode, .extendedAttributes, .securityContext])
  }

  /// What a source has beside its status; one call for a file that has nothing.
  func attributes(of subject: DescribedFile, isLink: Bool = false) -> SourceAttributes {
    var found = SourceAttributes()
    guard readsAttributes, let source = subject.source else { return found }
    do throws(SystemError) {
      found.names = try source.attributeNames()
    } catch {
      // A list of rights may be among them.
      found.isUnknown = options.preserved.contains(.mode) && !isLink
      let problem = CopyError(.listAttributes, subject.sourcePath(), error)
      // A mode that is not set is no attribute that one may do without.
      if found.isUnknown { fail(problem, subject.worker) } else { lost(problem, subject) }
      return found
    }
    guard options.preserved.contains(.mode) else { return found }
    do throws(SystemError) {
      if found.names.contains(AccessList.access) {
        found.accessList = try source.accessList()
      }
      if found.names.contains(AccessList.inherited) {
        found.inheritedList = try source.accessList(AccessList.inherited)
      }
    } catch {
      found.isUnknown = true
      fail(CopyError(.readPermissions, subject.sourcePath(), error), subject.worker)
    }
    return found
  }

  /// Copies extended attributes. The file's owner must be right already, as a new owner takes
  /// capabilities away, and must still be allowed to write to it.
  func copyAttributes(_ names: [BytePath], of subject: DescribedFile) {
    guard let source = subject.source else { return }
    var isUnsupported = false
    for name in names where attributeRules.copies(name, options.preserved) {
      let value: [UInt8]
      do throws(SystemError) {
        value = try source.attribute(name)
      } catch {
        lost(CopyError(.readAttribute, subject.sourcePath(), other: name, error), subject)
        continue
      }
      do throws(SystemError) {
        try subject.file.setAttribute(name, to: value)
      } catch .notSupported {
        isUnsupported = true
      } catch {
        lost(CopyError(.setAttribute, subject.path(), other: name, error), subject)
      }
    }
    // One line is enough for a file system that stores none of a kind.
    if isUnsupported { lost(CopyError(.setAttributes, subject.path(), .notSupported), subject) }
  }

  /// Tells of an attribute that is not copied as loudly as the options say, and always of a disk
  /// that fails or is full.
  private func lost(_ problem: CopyError, _ subject: DescribedFile) {
    if problem.error?.isOfDevice ?? false { return fail(problem, subject.worker) }
    let isUnsupported = problem.error == .notSupported || problem.error == .noData
    switch options.attributeLoss {
    case .failing: fail(problem, subject.worker)
    // Where only attributes are copied, each of them matters.
    case .warned where !isUnsupported || !options.copiesBytes: warn(problem)
    case .ignored where !options.copiesBytes: warn(problem)
    case .warned, .ignored: break
    }
  }

  /// Gives a file its mode and the source's list, which replaces another one at once.
  ///
  /// In `permissions` the group's bits are the most that a list gives; `mayHaveList` tells that the
  /// file may have a list of its own or of its directory.
  func setAccess(
    of subject: DescribedFile,
    _ permissions: UInt32,
    _ attributes: SourceAttributes,
    mayHaveList: Bool
  ) {
    // Nobody knows who may read such a file: it stays closed.
    if attributes.isUnknown { return }
    var permissions = permissions
    do throws(SystemError) {
      if let list = attributes.accessList {
        do throws(SystemError) {
          try subject.file.setAttribute(AccessList.access, to: list.bytes)
        } catch .notSupported {
          // The group's bits would be those of all who are in the list.
          permissions = permissions & 0o7000 | list.plainPermissions
          fail(CopyError(.setPermissions, subject.path(), .notSupported), subject.worker)
        }
      } else if mayHaveList {
        try removeList(of: subject.file)
      }
    } catch {
      // What the list still gives would count as soon as the mode allows it.
      fail(CopyError(.setPermissions, subject.path(), error), subject.worker)
      return
    }
    setPermissions(of: subject, permissions)
  }

  /// Lets a directory hand on what its source hands on, and nothing else.
  func setInheritedList(
    of subject: DescribedFile,
    _ attributes: SourceAttributes,
    mayHaveList: Bool
  ) {
    do throws(SystemError) {
      if let list = attributes.inheritedList {
        try subject.file.setAttribute(AccessList.inherited, to: list.bytes)
      } else if mayHaveList && !attributes.isUnknown {
        try removeList(of: subject.file, AccessList.inherited)
      }
    } catch {
      fail(CopyError(.setPermissions, subject.path(), error), subject.worker)
    }
  }
}

extension SystemError {
  /// Whether an error comes from the state of a disk or of the system, and not from what it can do
  /// or what the process may do.
  fileprivate var isOfDevice: Bool {
    switch self {
    case .ioError, .noMemory, .noSpace, .quotaExceeded, .readOnlyFileSystem, .interrupted,
      .staleFileHandle, .noSuchFileOrDirectory:
      true
    default: false
    }
  }
}
