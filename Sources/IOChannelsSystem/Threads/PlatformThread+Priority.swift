internal import CIOChannelsSystem

extension PlatformThread {
  /// Changes the priority of the calling thread for good.
  ///
  /// The nice value grows by `steps`, from -20 to 19. A smaller one needs a privilege. With
  /// `yieldsDisks` the thread gets the idle I/O class, and its transfers wait while other processes
  /// use the disk. Changes that the system refuses are skipped. Threads that the calling thread
  /// starts later through `start(name:body:)` do not inherit the changes.
  package static func changePriority(steps: Int32, yieldsDisks: Bool = false) {
    // The starter thread inherits the priority from before the change.
    if !hasOwnPriority { ThreadStarter.shared.ensure() }
    csys_thread_note_priority()
    if let place = try? csys_thread_place().get() {
      _ = csys_thread_set_place(min(39, max(0, Int32(place) + steps)))
    }
    if yieldsDisks { _ = csys_thread_yield_disks() }
  }

  /// Whether the priority of the calling thread was changed.
  static var hasOwnPriority: Bool { csys_thread_has_own_priority() != 0 }
}
