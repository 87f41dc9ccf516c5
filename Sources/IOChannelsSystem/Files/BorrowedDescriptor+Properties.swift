internal import CIOChannelsSystem

/// The status flags of an open file (`F_GETFL`).
public struct StatusFlags: OptionSet, Sendable {
  /// The bits as `fcntl(F_GETFL)` returns them.
  public let rawValue: Int32

  /// Creates a set from its bits.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Append mode: each write goes to the end of the file (`O_APPEND`).
  public static let append = StatusFlags(rawValue: CSYS_O_APPEND)
  /// Non-blocking mode: a call that would block fails with `EAGAIN` (`O_NONBLOCK`).
  public static let nonBlocking = StatusFlags(rawValue: CSYS_O_NONBLOCK)
  /// Direct I/O: transfers bypass the page cache (`O_DIRECT`).
  public static let direct = StatusFlags(rawValue: CSYS_O_DIRECT)
}

extension BorrowedDescriptor {
  /// Returns the status flags of the open file.
  public func statusFlags() throws(SystemError) -> StatusFlags {
    StatusFlags(rawValue: Int32(truncatingIfNeeded: try csys_fcntl_getfl(rawValue).get()))
  }

  /// Changes the status flags of the open file, which all its descriptors share.
  package func setStatusFlags(_ flags: StatusFlags) throws(SystemError) {
    _ = try csys_fcntl_setfl(rawValue, flags.rawValue).get()
  }

  /// Returns the magic number of the file system that holds the file.
  package func fileSystemMagic() throws(SystemError) -> UInt32 {
    UInt32(truncatingIfNeeded: try csys_file_system_type(rawValue).get())
  }

  /// Returns the file position.
  ///
  /// - Throws: `ESPIPE` for pipes, sockets and terminals.
  public func position() throws(SystemError) -> Int64 {
    Int64(try csys_lseek(rawValue, 0, CSYS_SEEK_CUR).get())
  }

  /// Sets the file position, counted from the start of the file.
  public func setPosition(_ offset: Int64) throws(SystemError) {
    _ = try csys_lseek(rawValue, offset, CSYS_SEEK_SET).get()
  }

  /// Whether a read would return at once with bytes, the end or an error.
  ///
  /// Also true if the kernel does not report it.
  package var isReadable: Bool { (try? csys_poll_readable(rawValue).get()) != 0 }

  /// Waits until a read would return at once, or until the timeout.
  ///
  /// - Returns: False after the timeout. Also true if the kernel does not report readiness.
  package func waitUntilReadable(milliseconds: Int32) -> Bool {
    (try? csys_wait_readable(rawValue, milliseconds).get()) != 0
  }

  /// Creates a second descriptor for the same open file.
  public func duplicate() throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(owning: Int32(try csys_duplicate(rawValue).get()))
  }
}
