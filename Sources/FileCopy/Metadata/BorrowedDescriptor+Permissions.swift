import IOChannelsSystem

/// Permissions of existing directories that their owner may not change or read.
extension BorrowedDescriptor {
  /// Gives the owner of a directory all rights in it, if this process has only the owner's rights.
  ///
  /// The directory of another user stays as it is. A refusal is not reported, because the calls
  /// that need the rights fail then.
  ///
  /// - Returns: The former permission bits; nil if they were not changed.
  func widenPermissions(_ found: FileStatus) -> UInt32? {
    guard found.kind == .directory, found.permissions & 0o700 != 0o700,
      found.owner == ProcessLimits.effectiveUser, !ProcessLimits.ignoresPermissions
    else { return nil }
    let isSet = (try? setPermissionsOfAny(found.permissions | 0o700)) != nil
    return isSet ? found.permissions : nil
  }

  /// Gives a directory its former permission bits back, if they were changed.
  func restorePermissions(_ former: UInt32?) {
    if let former { try? setPermissionsOfAny(former) }
  }

  /// Sets the permission bits of an open file or of a handle.
  func setPermissionsOfAny(_ permissions: UInt32) throws(SystemError) {
    do throws(SystemError) {
      try setPermissions(permissions)
    } catch .badFileDescriptor {
      try setPermissionsOfHandle(permissions)
    }
  }
}
