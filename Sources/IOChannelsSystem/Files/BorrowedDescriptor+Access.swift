/// Access lists, which give single users and groups rights beside a file's mode.
///
/// All of it works on handles too, which need `/proc`.
extension BorrowedDescriptor {
  /// A file's list, nil when its mode alone counts or the file system knows no lists.
  package func accessList(_ kind: BytePath = AccessList.access) throws(SystemError) -> AccessList? {
    do throws(SystemError) {
      return AccessList(bytes: try attribute(kind))
    } catch {
      if error.meansNoAccessList { return nil }
      throw error
    }
  }

  /// The permission bits that a directory's default list leaves to what is made in it.
  ///
  /// - Returns: Nil when there is no such list, or the file system knows none.
  package func defaultAccess() throws(SystemError) -> UInt32? {
    try accessList(AccessList.inherited)?.shownPermissions
  }

  /// Removes a file's list, so that its mode alone counts, or what a directory hands on to new
  /// files; nothing happens when there is none.
  ///
  /// The bits of the group, which were the most that the list gave to anybody, stay.
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
