package import CIOChannelsSystem

extension csys_status {
  /// The status, or the error as a Swift error.
  package func get() throws(SystemError) -> FileStatus {
    if error != 0 { throw SystemError(rawValue: error) }
    return FileStatus(
      identity: FileIdentity(device: device, inode: inode),
      mode: mode,
      owner: owner,
      group: group,
      links: links,
      size: size,
      blocks: blocks,
      accessed: FileTime(seconds: accessed, nanoseconds: accessed_part),
      modified: FileTime(seconds: modified, nanoseconds: modified_part),
      changed: FileTime(seconds: changed, nanoseconds: changed_part),
      specialDevice: special_device
    )
  }
}

/// Looking at an open file and changing what describes it.
extension BorrowedDescriptor {
  /// The status of the open file.
  package func status() throws(SystemError) -> FileStatus {
    try csys_fstat(rawValue).get()
  }

  /// Sets owner and group; `UInt32.max` leaves one as it is. Clears set-id bits.
  package func setOwner(_ owner: UInt32, group: UInt32) throws(SystemError) {
    _ = try csys_fchown(rawValue, owner, group).get()
  }

  /// Sets the permission bits.
  package func setPermissions(_ permissions: UInt32) throws(SystemError) {
    _ = try csys_fchmod(rawValue, permissions).get()
  }

  /// Sets the times of the last access and of the last change of the data.
  package func setTimes(accessed: FileTime, modified: FileTime) throws(SystemError) {
    _ = try csys_futimens(
      rawValue,
      accessed.seconds,
      accessed.nanoseconds,
      modified.seconds,
      modified.nanoseconds
    ).get()
  }

  /// Sets the length; what is added reads as zeros.
  package func setSize(_ size: Int64) throws(SystemError) {
    _ = try uninterrupted { csys_ftruncate(rawValue, size) }
  }
}

/// Changing what describes a file that is only held, with `OpenFlags.path`.
extension BorrowedDescriptor {
  /// Sets owner and group, of a symbolic link too. Clears set-id bits.
  package func setOwnerOfHandle(_ owner: UInt32, group: UInt32) throws(SystemError) {
    _ = try csys_handle_chown(rawValue, owner, group).get()
  }

  /// Sets the permission bits; a symbolic link has none. Needs `/proc`.
  package func setPermissionsOfHandle(_ permissions: UInt32) throws(SystemError) {
    _ = try csys_handle_chmod(rawValue, permissions).get()
  }

  /// Sets the times, of a symbolic link too.
  package func setTimesOfHandle(accessed: FileTime, modified: FileTime) throws(SystemError) {
    _ = try csys_handle_utimens(
      rawValue,
      accessed.seconds,
      accessed.nanoseconds,
      modified.seconds,
      modified.nanoseconds
    ).get()
  }
}

/// Copies that the kernel makes.
extension BorrowedDescriptor {
  /// The most bytes asked for in one copy, so that a copy can be watched and ended.
  package static var kernelCopyLimit: Int { 1 << 30 }

  /// Copies bytes of `source` from `sourceOffset` to `offset` of this file.
  ///
  /// - Returns: The number of bytes, 0 at the end of the source.
  package func copy(
    from source: BorrowedDescriptor,
    at sourceOffset: Int64,
    to offset: Int64,
    count: Int
  ) throws(SystemError) -> Int {
    let count = min(count, BorrowedDescriptor.kernelCopyLimit)
    return try uninterrupted {
      csys_copy_file_range(source.rawValue, sourceOffset, rawValue, offset, count)
    }
  }

  /// Makes this file share all blocks of `source`.
  package func clone(from source: BorrowedDescriptor) throws(SystemError) {
    _ = try uninterrupted { csys_clone(source.rawValue, rawValue) }
  }

  /// Where data starts at or behind an offset, nil when there is none.
  package func nextData(from offset: Int64) throws(SystemError) -> Int64? {
    let result = csys_seek_data(rawValue, offset)
    if result.error == 6 { return nil }
    return Int64(try result.get())
  }

  /// Where a hole starts at or behind an offset, nil when the offset is behind the end.
  package func nextHole(from offset: Int64) throws(SystemError) -> Int64? {
    let result = csys_seek_hole(rawValue, offset)
    if result.error == 6 { return nil }
    return Int64(try result.get())
  }

  /// Moves the file position of a directory back to where a reader was.
  package func seekDirectory(to position: Int64) throws(SystemError) {
    _ = try csys_lseek(rawValue, position, 0).get()
  }
}
