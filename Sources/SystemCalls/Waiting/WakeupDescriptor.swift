internal import CSystem

/// A descriptor that becomes readable when another thread calls (eventfd).
package struct WakeupDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  package init() throws(Errno) {
    descriptor = FileDescriptor(owning: Int32(try csys_eventfd().get()))
  }

  /// Makes the descriptor readable; never waits.
  package func signal() {
    // It fails only when 2^64 - 1 signals are unread, and then it is readable anyway.
    _ = csys_eventfd_add(descriptor.rawValue, 1)
  }

  /// Waits for a signal and takes all that have come.
  package func wait() {
    _ = try? uninterrupted { csys_eventfd_take(descriptor.rawValue) }
  }
}
