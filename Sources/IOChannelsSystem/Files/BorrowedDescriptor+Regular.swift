extension BorrowedDescriptor {
  /// Opens a file that should be regular, without blocking on a FIFO or device.
  ///
  /// The call blocks only while another process has a lease on a regular file. The kernel breaks
  /// the lease after a timeout.
  package func openRegular(
    _ name: BytePath,
    _ flags: OpenFlags,
    following: Bool
  ) throws(SystemError) -> OwnedDescriptor {
    let link: OpenFlags = following ? [] : .noFollow
    do throws(SystemError) {
      return try open(name, flags.union(link).union(.nonBlocking))
    } catch .resourceTemporarilyUnavailable {
      let handle = try open(name, link.union(.path))
      guard try handle.borrowed.status().kind == .regular else {
        throw .resourceTemporarilyUnavailable
      }
      return try handle.borrowed.reopen(flags)
    }
  }
}
