internal import CIOChannelsSystem

/// The flags of an open file that can be read back.
public struct StatusFlags: OptionSet, Sendable {
  /// The bits as `fcntl(F_GETFL)` gives them.
  public let rawValue: Int32

  /// Wraps the bits.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Every write goes to the end of the file.
  public static let append = StatusFlags(rawValue: CSYS_O_APPEND)
  /// Calls do not wait.
  public static let nonBlocking = StatusFlags(rawValue: CSYS_O_NONBLOCK)
  /// Transfers pass the page cache.
  public static let direct = StatusFlags(rawValue: CSYS_O_DIRECT)
}

extension BorrowedDescriptor {
  /// Reads the flags of the open file.
  public func statusFlags() throws(SystemError) -> StatusFlags {
    StatusFlags(rawValue: Int32(truncatingIfNeeded: try csys_fcntl_getfl(rawValue).get()))
  }

  /// Changes the flags of the open file, for everybody who shares it.
  package func setStatusFlags(_ flags: StatusFlags) throws(SystemError) {
    _ = try csys_fcntl_setfl(rawValue, flags.rawValue).get()
  }

  /// The magic number of the file system that holds the file.
  public func fileSystemMagic() throws(SystemError) -> UInt32 {
    UInt32(truncatingIfNeeded: try csys_file_system_type(rawValue).get())
  }

  /// The file position.
  ///
  /// - Throws: `ESPIPE` for pipes, sockets and terminals.
  public func position() throws(SystemError) -> Int64 {
    Int64(try csys_lseek(rawValue, 0, CSYS_SEEK_CUR).get())
  }

  /// Moves the file position to an offset counted from the start.
  public func setPosition(_ offset: Int64) throws(SystemError) {
    _ = try csys_lseek(rawValue, offset, CSYS_SEEK_SET).get()
  }

  /// Whether a read would answer at once: with bytes, the end or an error.
  ///
  /// It is true where the kernel does not say.
  package var isReadable: Bool { (try? csys_poll_readable(rawValue).get()) != 0 }

  /// Waits until a read would answer at once, or for so long.
  ///
  /// - Returns: False when the time was over; true also where the kernel does not say.
  package func waitUntilReadable(milliseconds: Int32) -> Bool {
    (try? csys_wait_readable(rawValue, milliseconds).get()) != 0
  }

  /// Makes a second descriptor for the same open file.
  public func duplicate() throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(owning: Int32(try csys_duplicate(rawValue).get()))
  }
}
