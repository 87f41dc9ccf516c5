internal import CIOChannelsSystem

/// An announced use of a part of a file (`posix_fadvise`).
public enum FileAdvice: Int32, Sendable, CaseIterable {
  /// No particular use, which is the default.
  case normal = 0
  /// Reads at random offsets: the kernel does not read ahead. Applies to the complete file.
  case random = 1
  /// Reads from front to back: the kernel reads ahead more. Applies to the complete file.
  case sequential = 2
  /// A read in the near future: the kernel may start to read now.
  case willNeed = 3
  /// No use in the near future: the kernel may drop clean pages from the page cache.
  case dontNeed = 4
  /// A single read of each byte.
  case noReuse = 5
}

extension BorrowedDescriptor {
  /// Announces the use of a part of the file to the kernel.
  ///
  /// Length 0 stands for everything behind the offset.
  ///
  /// - Throws: `ESPIPE` for a pipe or socket.
  package func advise(
    _ advice: FileAdvice,
    offset: Int64 = 0,
    length: Int64 = 0
  ) throws(SystemError) {
    _ = try uninterrupted { csys_fadvise(rawValue, offset, length, advice.rawValue) }
  }

  /// Returns the number of changed pages in a part of the file that are not written yet.
  ///
  /// Length 0 stands for everything behind the offset.
  ///
  /// - Throws: `ENOSYS` before Linux 6.5, `EOPNOTSUPP` if the file system does not support the
  ///   call, `EPERM` for another user's file that is open for reading only.
  package func unwrittenPages(offset: Int64 = 0, length: Int64 = 0) throws(SystemError) -> Int {
    try uninterrupted {
      csys_unwritten_pages(rawValue, UInt64(max(offset, 0)), UInt64(max(length, 0)))
    }
  }

  /// Starts writeback of the changed pages in a part of the file, and optionally waits for its end.
  ///
  /// - Throws: `ESPIPE` for a pipe or socket, and the error of a failed write if it waits.
  package func writeBack(offset: Int64, length: Int64, waits: Bool) throws(SystemError) {
    _ = try uninterrupted { csys_write_back(rawValue, offset, length, waits) }
  }
}
