internal import CIOChannelsSystem

/// A descriptor that becomes readable at a point in time (`timerfd`).
package struct TimerDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Creates a descriptor that is not readable.
  package init(on clock: KernelClock) throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_timerfd(clock.number).get()))
  }

  /// Sets the time at which the descriptor becomes readable, also while a thread waits for it.
  ///
  /// The descriptor is unreadable from now until then. The time is absolute: one on the wall clock
  /// follows when that clock is set.
  ///
  /// - Parameter nanoseconds: The time since the clock's start, or nil for never.
  package func set(_ nanoseconds: Int64?) {
    // For the kernel 0 means never. Both 0 and 1 are in the past, and no value is refused.
    _ = csys_timerfd_set(descriptor.rawValue, nanoseconds.map { max($0, 1) } ?? 0)
  }
}
