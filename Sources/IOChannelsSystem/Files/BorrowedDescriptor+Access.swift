/// Access control lists, which grant rights to single users and groups beside a file's mode.
///
/// All members also work on handles (`O_PATH`), with the needs of extended attributes.
extension BorrowedDescriptor {
  /// Returns a file's list, or nil if it has none or the file system does not support lists.
  package func accessList(_ kind: BytePath = AccessList.access) throws(SystemError) -> AccessList? {
    do throws(SystemError) {
      return AccessList(bytes: try attribute(kind))
    } catch {
      if error.meansNoAccessList { return nil }
      throw error
    }
  }

  /// Returns the permission bits that a directory's default list grants to new entries.
  ///
  /// - Returns: Nil if there is no default list or the file system does not support lists.
  package func defaultAccess() throws(SystemError) -> UInt32? {
    try accessList(AccessList.inherited)?.shownPermissions
  }

  /// Removes the list of a file, or the default list of a directory, if there is one.
  ///
  /// The bits of the group, which were the mask of the list, stay.
  package func removeAccessList(_ kind: BytePath = AccessList.access) throws(SystemError) {
    do throws(SystemError) {
      try removeAttribute(kind)
    } catch {
      if !error.meansNoAccessList { throw error }
    }
  }
}

extension SystemError {
  fileprivate var meansNoAccessList: Bool {
    switch self {
    case .noData, .notSupported, .noFunction: true
    default: false
    }
  }
}
