internal import CIOChannelsSystem

/// A change of the blocks in a range of a file (`fallocate`).
///
/// The empty set allocates blocks and extends the file if needed.
package struct AllocationMode: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// An unchanged length of the file.
  package static let keepSize = AllocationMode(rawValue: 0x01)
  /// A hole in place of the blocks (`FALLOC_FL_PUNCH_HOLE`). It requires ``keepSize``.
  package static let hole = AllocationMode(rawValue: 0x02)
}

/// Calls on the storage of an open file.
extension BorrowedDescriptor {
  /// Flushes written data to storage, with all metadata or with what is needed to read it.
  ///
  /// The call is never repeated. After an error the kernel forgets the pages that it could not
  /// write, and a second call would succeed wrongly.
  package func synchronize(dataOnly: Bool) throws(SystemError) {
    _ = try (dataOnly ? csys_fdatasync(rawValue) : csys_fsync(rawValue)).get()
  }

  /// Flushes the file system of the open file, with everything that was written to it.
  ///
  /// The call is never repeated. The kernel reports a failed write only once to each open file, and
  /// only if it occurred after the opening.
  ///
  /// - Throws: `EBADF` for a handle.
  package func synchronizeFileSystem() throws(SystemError) {
    _ = try csys_syncfs(rawValue).get()
  }

  /// Changes the blocks of a range.
  ///
  /// - Throws: `EOPNOTSUPP` if the file system does not support the mode.
  package func allocate(_ mode: AllocationMode, offset: Int64, length: Int64) throws(SystemError) {
    _ = try uninterrupted { csys_fallocate(rawValue, mode.rawValue, offset, length) }
  }
}
