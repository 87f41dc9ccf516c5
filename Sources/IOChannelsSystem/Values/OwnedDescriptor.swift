internal import CIOChannelsSystem

/// A descriptor that this value owns and closes at its end.
///
/// - Important: A call on `borrowed` must not outlive this value.
public struct OwnedDescriptor: ~Copyable, Sendable {
  /// The same descriptor without ownership.
  public let borrowed: BorrowedDescriptor

  /// Takes ownership of an open descriptor, which no other code may close.
  public init(owning rawValue: Int32) {
    requireUse(rawValue >= 0, "A descriptor's number is not negative.", "S173")
    borrowed = BorrowedDescriptor(rawValue: rawValue)
  }

  /// The descriptor's number.
  public var rawValue: Int32 { borrowed.rawValue }

  deinit {
    // The error cannot be reported here. A caller that needs it calls `close()`.
    _ = csys_close(borrowed.rawValue)
  }

  /// Closes the descriptor and reports the error of the kernel.
  ///
  /// The descriptor is closed afterwards, even if an error is thrown.
  ///
  /// - Throws: The error of a delayed write, on file systems that report it here.
  public consuming func close() throws(SystemError) {
    let number = borrowed.rawValue
    discard self
    _ = try csys_close(number).get()
  }

  /// Releases ownership and returns the number, which the caller must close.
  public consuming func release() -> Int32 {
    let number = borrowed.rawValue
    discard self
    return number
  }
}

/// A descriptor whose owner keeps it open while it is used here.
///
/// All calls of this module on open files are methods of this type. A number that is not open gives
/// `EBADF`.
public struct BorrowedDescriptor: RawRepresentable, Hashable, Sendable {
  /// The descriptor's number.
  public let rawValue: Int32

  /// Creates a value from a descriptor's number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}
