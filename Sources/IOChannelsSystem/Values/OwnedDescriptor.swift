internal import CIOChannelsSystem

/// A descriptor that belongs to this value and is closed with it.
///
/// - Important: A call on `borrowed` must not outlive this value.
public struct OwnedDescriptor: ~Copyable, Sendable {
  /// The same descriptor without ownership.
  public let borrowed: BorrowedDescriptor

  /// Takes over an open descriptor; nobody else may close it.
  public init(owning rawValue: Int32) {
    requireUse(rawValue >= 0, "A descriptor's number is not negative.", "S173")
    borrowed = BorrowedDescriptor(rawValue: rawValue)
  }

  /// The descriptor's number.
  public var rawValue: Int32 { borrowed.rawValue }

  deinit {
    // An error here has no one to hear it; whoever needs it calls `close()`.
    _ = csys_close(borrowed.rawValue)
  }

  /// Closes the descriptor and reports what the kernel says.
  ///
  /// The descriptor is gone afterwards, also when an error is thrown.
  ///
  /// - Throws: The error of a delayed write on file systems that report it here.
  public consuming func close() throws(SystemError) {
    let number = borrowed.rawValue
    discard self
    _ = try csys_close(number).get()
  }

  /// Gives up ownership and returns the number, which the caller must close.
  public consuming func release() -> Int32 {
    let number = borrowed.rawValue
    discard self
    return number
  }
}

/// A descriptor that belongs to someone else, who keeps it open while it is used here.
///
/// All calls of this module on open files are methods of this type. A number that is not open
/// gives `EBADF`.
public struct BorrowedDescriptor: RawRepresentable, Hashable, Sendable {
  /// The descriptor's number.
  public let rawValue: Int32

  /// Names a descriptor by its number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}
