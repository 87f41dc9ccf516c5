internal import CIOChannelsSystem

/// A descriptor that another thread makes readable (`eventfd`).
package struct WakeupDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Creates a descriptor whose read takes all pending signals, or one of them if `each` is set.
  package init(each: Bool = false) throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_eventfd(each).get()))
  }

  /// Adds signals to the descriptor and makes it readable, without blocking.
  package func signal(_ count: UInt64 = 1) {
    // Where signals are not refused, the call fails only if 2^64 - 1 of them are pending, and then
    // the descriptor is readable.
    _ = csys_eventfd_add(descriptor.rawValue, count)
  }

  /// Adds a signal like ``signal(_:)``.
  ///
  /// - Throws: The error of a sandbox that refuses the call.
  package func trySignal() throws(SystemError) {
    _ = try csys_eventfd_add(descriptor.rawValue, 1).get()
  }

  /// Releases ownership of the descriptor, which the new owner reads.
  package consuming func release() -> OwnedDescriptor { descriptor }

  /// Waits for a signal and takes all pending ones.
  package func wait() {
    _ = try? uninterrupted { csys_eventfd_take(descriptor.rawValue) }
  }
}
