internal import CIOChannelsSystem

/// A descriptor that is readable from a point in time on (timerfd).
package struct TimerDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Makes a descriptor that is not readable yet.
  package init(on clock: KernelClock) throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_timerfd(clock.number).get()))
  }

  /// Sets when the descriptor becomes readable, also while a thread waits for that.
  ///
  /// It is not readable from now until then. The point is absolute, so that one on the wall clock
  /// moves with it when somebody sets the clock.
  ///
  /// - Parameter nanoseconds: The time since the clock's start; nil stands for never.
  package func set(_ nanoseconds: Int64?) {
    // The kernel takes 0 for never, and both points have passed. It refuses none of these values.
    _ = csys_timerfd_set(descriptor.rawValue, nanoseconds.map { max($0, 1) } ?? 0)
  }
}
