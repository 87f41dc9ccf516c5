import IOChannelsSystem

/// Owners and groups.
extension MetadataWriter {
  /// Returns the owner and group of a file; nil if they are unknown.
  ///
  /// The first new file in a directory shows those of all new files in it, unless another user may
  /// change the group that the directory passes on.
  func currentOwner(
    of subject: borrowing DescribedFile,
    _ item: CopyItem,
    _ existing: FileStatus?
  ) -> (UInt32, UInt32)? {
    if let existing { return (existing.owner, existing.group) }
    if !item.control.isOwned { return nil }
    if let known = item.directory.newFileOwner { return known }
    guard let status = try? subject.file.status() else { return nil }
    item.directory.recordNewFileOwner(owner: status.owner, group: status.group)
    return (status.owner, status.group)
  }

  /// Sets the owner and group of a file to those of the source, if that is requested and necessary.
  ///
  /// `owner` is the current owner and group, nil if they are unknown.
  ///
  /// - Returns: The mode that may be set: that of the source, without set-id bits if its owner
  ///   could not be set; nil if that was reported as a failure.
  func keepOwner(
    of subject: borrowing DescribedFile,
    _ item: CopyItem,
    from source: FileStatus,
    over owner: @autoclosure () -> (UInt32, UInt32)?
  ) -> UInt32? {
    guard options.metadata.preserved.contains(.ownership) else { return source.permissions }
    if let owner = owner(), owner == (source.owner, source.group) { return source.permissions }
    do throws(SystemError) {
      try subject.file.setOwnerOfHandle(source.owner, group: source.group)
      return source.permissions
    } catch {
      // A file system whose files all have one owner may refuse the change.
      if let found = try? subject.file.status(),
        (found.owner, found.group) == (source.owner, source.group)
      {
        return source.permissions
      }
      let isForbidden = error == .notPermitted || error == .invalidArgument
      if isForbidden { try? subject.file.setOwnerOfHandle(.max, group: source.group) }
      // Only the superuser can change owners. For other users a refusal is not a failure.
      if isForbidden && !context.isSuperuser { return source.permissions & 0o777 }
      item.fail(.setOwnership, error)
      return nil
    }
  }

  /// Gives a new file the owner of the file that it replaces, unless it gets that of the source.
  ///
  /// - Returns: False if the owner could not be set.
  func keepReplacedOwner(of target: borrowing DestinationFile) -> Bool {
    guard let replaced = target.replaced?.status, !options.metadata.preserved.contains(.ownership)
    else {
      return true
    }
    // A file system whose files all have one owner may refuse the change.
    if let new = try? target.file.status(), new.owner == replaced.owner,
      new.group == replaced.group
    {
      return true
    }
    return (try? target.file.setOwnerOfHandle(replaced.owner, group: replaced.group)) != nil
  }
}
