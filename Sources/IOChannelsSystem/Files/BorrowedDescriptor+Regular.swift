extension BorrowedDescriptor {
  /// Opens what should be a regular file, without waiting for the other end of anything else.
  ///
  /// Only a regular file whose lease somebody has is waited for, until that is given up, which the
  /// system sees to.
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
