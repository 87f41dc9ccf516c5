internal import CIOChannelsSystem

/// What is done to a range of a file's blocks (`fallocate`). Without a mode they are allocated, and
/// the file grows to hold the range.
package struct AllocationMode: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The length of the file stays as it is.
  package static let keepSize = AllocationMode(rawValue: 0x01)
  /// The blocks are given back and read as zeros; wants `keepSize`.
  package static let punchHole = AllocationMode(rawValue: 0x02)
  /// The range reads as zeros and stays allocated.
  package static let zeroRange = AllocationMode(rawValue: 0x10)
}

/// Calls on the blocks behind an open file.
extension BorrowedDescriptor {
  /// Brings what was written to the disk, with what is needed to read it, or with all that is known
  /// of the file.
  ///
  /// It is never asked twice: after an error the kernel forgets what it could not write, and a
  /// second answer would be a lie.
  package func synchronize(dataOnly: Bool) throws(SystemError) {
    _ = try (dataOnly ? csys_fdatasync(rawValue) : csys_fsync(rawValue)).get()
  }

  /// Changes the blocks of a range.
  ///
  /// - Throws: `EOPNOTSUPP` where the file system does not know the mode.
  package func allocate(_ mode: AllocationMode, offset: Int64, length: Int64) throws(SystemError) {
    _ = try uninterrupted { csys_fallocate(rawValue, mode.rawValue, offset, length) }
  }
}
