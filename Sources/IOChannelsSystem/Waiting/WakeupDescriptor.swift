internal import CIOChannelsSystem

/// A descriptor that becomes readable when another thread calls (eventfd).
package struct WakeupDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Makes a descriptor of which a read takes all signals that have come, or one of them `each`.
  package init(each: Bool = false) throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_eventfd(each).get()))
  }

  /// Makes the descriptor readable, by so many signals; never waits.
  package func signal(_ count: UInt64 = 1) {
    // It fails only when 2^64 - 1 signals are unread, and then it is readable anyway.
    _ = csys_eventfd_add(descriptor.rawValue, count)
  }

  /// Returns the descriptor, whose owner reads it.
  package consuming func release() -> OwnedDescriptor { descriptor }

  /// Waits for a signal and takes all that have come.
  package func wait() {
    _ = try? uninterrupted { csys_eventfd_take(descriptor.rawValue) }
  }
}
