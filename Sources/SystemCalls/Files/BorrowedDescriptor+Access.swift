internal import CSystem

/// Access lists, which give single users and groups rights beside a file's mode.
extension BorrowedDescriptor {
  /// The permission bits that a directory's default list leaves to what is made in it.
  ///
  /// Works on a handle too. Needs `/proc`.
  ///
  /// - Returns: Nil when there is no such list, or the file system knows none.
  package func defaultAccess() throws(Errno) -> UInt32? {
    do throws(Errno) {
      return UInt32(try csys_default_access(rawValue).get())
    } catch {
      if error.meansNoAccessList { return nil }
      throw error
    }
  }

  /// Removes a file's list, so that its mode alone counts; nothing happens when it has none.
  ///
  /// The bits of the group, which were the most that the list gave to anybody, stay.
  package func removeAccessList() throws(Errno) {
    do throws(Errno) {
      do throws(Errno) {
        _ = try csys_remove_access_list(rawValue).get()
      } catch .badFileDescriptor {
        _ = try csys_handle_remove_access_list(rawValue).get()
      }
    } catch {
      if !error.meansNoAccessList { throw error }
    }
  }

  /// Removes what a directory hands on to new files; nothing happens when there is none.
  package func removeDefaultAccessList() throws(Errno) {
    do throws(Errno) {
      _ = try csys_remove_default_access_list(rawValue).get()
    } catch {
      if !error.meansNoAccessList { throw error }
    }
  }
}

extension Errno {
  fileprivate var meansNoAccessList: Bool {
    switch self {
    case .noData, .notSupported, .noFunction: true
    default: false
    }
  }
}
