internal import CIOChannelsSystem

extension PlatformThread {
  /// Lowers the priority of the calling thread for good.
  ///
  /// The nice value grows by `steps`, to 19 at most. With `yieldsDisks` the thread gets the idle
  /// I/O class, and its transfers wait while other processes use the disk. Changes that the system
  /// refuses are skipped. Threads that the calling thread starts later through `start(name:body:)`
  /// do not inherit the lower priority.
  package static func lower(steps: Int32, yieldsDisks: Bool) {
    // The starter thread inherits the priority from before the change.
    if !isLowered { ThreadStarter.shared.ensure() }
    csys_thread_note_lowered()
    if let place = try? csys_thread_place().get() {
      _ = csys_thread_set_place(min(39, Int32(place) + steps))
    }
    if yieldsDisks { _ = csys_thread_yield_disks() }
  }

  /// Whether the calling thread has a lowered priority.
  static var isLowered: Bool { csys_thread_is_lowered() != 0 }
}
