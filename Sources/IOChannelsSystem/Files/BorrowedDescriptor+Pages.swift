internal import CIOChannelsSystem

/// What a program tells the kernel about its use of a part of a file (`posix_fadvise`).
public enum FileAdvice: Int32, Sendable, CaseIterable {
  /// Nothing in particular, which is the default.
  case normal = 0
  /// It is read at random places, so that reading ahead is of no use. Concerns the whole file.
  case random = 1
  /// It is read from front to back, so that more is read ahead. Concerns the whole file.
  case sequential = 2
  /// It is read soon; the kernel may begin now.
  case willNeed = 3
  /// It is not used soon; what is in memory and on the disk may go from memory.
  case dontNeed = 4
  /// It is read once.
  case noReuse = 5
}

extension BorrowedDescriptor {
  /// Tells the kernel how a part of the file will be used; length 0 means up to the end.
  ///
  /// - Throws: `ESPIPE` for a pipe or socket.
  package func advise(
    _ advice: FileAdvice,
    offset: Int64 = 0,
    length: Int64 = 0
  ) throws(SystemError) {
    _ = try uninterrupted { csys_fadvise(rawValue, offset, length, advice.rawValue) }
  }

  /// How many pages of a part of the file have changed and are not on the disk yet; length 0 means
  /// up to the end.
  ///
  /// - Throws: `ENOSYS` before Linux 6.5, `EOPNOTSUPP` where the file system does not tell,
  ///   `EPERM` for another user's file that is only read.
  package func unwrittenPages(offset: Int64 = 0, length: Int64 = 0) throws(SystemError) -> Int {
    try uninterrupted {
      csys_unwritten_pages(rawValue, UInt64(max(offset, 0)), UInt64(max(length, 0)))
    }
  }

  /// Begins to write changed pages of a part of the file to the disk, and waits for that if asked.
  ///
  /// - Throws: `ESPIPE` for a pipe or socket; when it waits also the error of a write.
  package func writeBack(offset: Int64, length: Int64, waits: Bool) throws(SystemError) {
    _ = try uninterrupted { csys_write_back(rawValue, offset, length, waits) }
  }
}
