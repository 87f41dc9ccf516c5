internal import CIOChannelsSystem

/// Calls that the kernel answers from its memory, as far as it can.
extension BorrowedDescriptor {
  /// Opens a name for reading, if its path is in the kernel's cache of names.
  ///
  /// No FIFO, device or lease is waited for. The opening itself may wait for a server, as of FUSE.
  ///
  /// - Throws: `EAGAIN` if some part of the path is not in the kernel's cache of names, `EINVAL` or
  ///   `ENOSYS` before Linux 5.12.
  package func openCached(
    _ name: BytePath,
    _ flags: OpenFlags
  ) throws(SystemError) -> OwnedDescriptor {
    let number = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_open_cached(rawValue, name, flags.rawValue).get()
    }
    return OwnedDescriptor(owning: Int32(number))
  }

  /// Returns the status that the kernel has in memory, and the number of the mount.
  ///
  /// No other mount ever gets this number. It is nil before Linux 6.8.
  package func cachedStatus() throws(SystemError) -> (status: FileStatus, mount: UInt64?) {
    var mount: UInt64 = 0
    let status = try unsafe csys_cached_status(rawValue, &mount).get()
    return (status, mount == 0 ? nil : mount)
  }
}
