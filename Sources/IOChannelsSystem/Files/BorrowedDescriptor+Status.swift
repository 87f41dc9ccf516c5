package import CIOChannelsSystem

extension csys_status {
  /// Returns the status or throws the error.
  package func get() throws(SystemError) -> FileStatus {
    if error != 0 { throw SystemError(rawValue: error) }
    return FileStatus(
      identity: FileIdentity(device: device, inode: inode),
      mode: mode,
      owner: owner,
      group: group,
      blockSize: block_size,
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

/// The metadata of an open file.
extension BorrowedDescriptor {
  /// Returns the status of the open file.
  package func status() throws(SystemError) -> FileStatus {
    try csys_fstat(rawValue).get()
  }

  /// Returns the kind of the open file, without a request to the server of its file system.
  ///
  /// It is the kernel's, while ``status()`` may have the kind that a library such as fakeroot
  /// invents.
  package func fileKind() throws(SystemError) -> FileKind {
    FileKind(mode: UInt32(truncatingIfNeeded: try csys_file_mode(rawValue).get()))
  }

  /// Whether the open directory has the attribute that makes its names equal without case.
  ///
  /// File systems without this attribute may ignore the case too.
  package func foldsCase() throws(SystemError) -> Bool {
    try csys_folds_case(rawValue).get() != 0
  }

  /// Sets the permission bits.
  package func setPermissions(_ permissions: UInt32) throws(SystemError) {
    _ = try csys_fchmod(rawValue, permissions).get()
  }

  /// Sets the access time and the modification time.
  package func setTimes(accessed: FileTime, modified: FileTime) throws(SystemError) {
    _ = try csys_futimens(
      rawValue,
      accessed.seconds,
      accessed.nanoseconds,
      modified.seconds,
      modified.nanoseconds
    ).get()
  }

  /// Sets the length; added bytes read as zeros.
  package func setSize(_ size: Int64) throws(SystemError) {
    _ = try uninterrupted { csys_ftruncate(rawValue, size) }
  }
}

/// The metadata of a file behind a handle (`OpenFlags.path`).
extension BorrowedDescriptor {
  /// Sets owner and group, also of a symbolic link, and clears set-ID bits.
  package func setOwnerOfHandle(_ owner: UInt32, group: UInt32) throws(SystemError) {
    _ = try csys_handle_chown(rawValue, owner, group).get()
  }

  /// Sets the permission bits of a file that is no symbolic link.
  ///
  /// Needs `/proc` or Linux 6.6.
  package func setPermissionsOfHandle(_ permissions: UInt32) throws(SystemError) {
    _ = try csys_handle_chmod(rawValue, permissions).get()
  }

  /// Sets both times, also of a symbolic link.
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

/// Copies inside the kernel, and holes.
extension BorrowedDescriptor {
  /// The most bytes in one call, so that a copy can report progress and be cancelled.
  package static var kernelCopyLimit: Int { 1 << 30 }

  /// Copies bytes of `source` from `sourceOffset` to `offset` of this file (`copy_file_range`).
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

  /// Makes this file share all blocks of `source` (`FICLONE`).
  package func clone(from source: BorrowedDescriptor) throws(SystemError) {
    _ = try uninterrupted { csys_clone(source.rawValue, rawValue) }
  }

  /// Returns the offset of the first data at or behind an offset, nil if there is none.
  package func nextData(from offset: Int64) throws(SystemError) -> Int64? {
    let result = csys_seek_data(rawValue, offset)
    if result.error == 6 { return nil }
    return Int64(try result.get())
  }

  /// Returns the offset of the first hole at or behind an offset, nil if that is behind the end.
  package func nextHole(from offset: Int64) throws(SystemError) -> Int64? {
    let result = csys_seek_hole(rawValue, offset)
    if result.error == 6 { return nil }
    return Int64(try result.get())
  }

  /// Sets the file position of a directory, as an earlier read returned it.
  package func seekDirectory(to position: Int64) throws(SystemError) {
    _ = try csys_lseek(rawValue, position, 0).get()
  }
}
