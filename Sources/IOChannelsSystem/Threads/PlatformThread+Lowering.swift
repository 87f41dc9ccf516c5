internal import CIOChannelsSystem

extension PlatformThread {
  /// Moves the calling thread behind others, for good.
  ///
  /// Its nice value grows by `steps`, to 19 at most, and with `yieldsDisks` its transfers wait
  /// until nobody else uses the disk. What the system refuses is left as it is. Threads that the
  /// calling thread starts later through `start(name:body:)` get the place that it had before.
  package static func lower(steps: Int32, yieldsDisks: Bool) {
    // Before the steps are taken, so that the starter inherits the place from before.
    if !isLowered { ThreadStarter.shared.ensure() }
    csys_thread_note_lowered()
    if let place = try? csys_thread_place().get() {
      _ = csys_thread_set_place(min(39, Int32(place) + steps))
    }
    if yieldsDisks { _ = csys_thread_yield_disks() }
  }

  /// Whether the calling thread was moved behind others.
  static var isLowered: Bool { csys_thread_is_lowered() != 0 }
}
