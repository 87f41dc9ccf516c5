internal import Synchronization
internal import IOChannelsLocks

extension WorkQueue {
  /// A lock held while targets change, and by threads that follow targets without holding the
  /// queues.
  static let hierarchy = BargingLock<Void>(())

  /// Sets the target as whose work this queue runs everything, nil for the pool's workers.
  ///
  /// Before the activation the target changes at once. After it, the change takes effect in
  /// submission order, like a barrier: earlier work runs with the old target. Calls on global
  /// queues and the main queue have no effect.
  ///
  /// - Precondition: The queue is inactive, or was created active and without a target. The targets
  ///   form no cycle.
  public func setTarget(queue: WorkQueue?) {
    guard kind == .own else { return }
    let destination = Destination(queue, for: qos)
    if move(to: destination, unless: { !self.isInactive }) { return }
    requireUse(
      isRetargetable,
      "A queue that was made with a target or inactive keeps its target once it is active.",
      "S77"
    )
    // The change needs a worker only for a short time, and handlers may follow it.
    add(.move(destination), isBarrier: true, for: DrainCause(isDelivery: true))
  }

  /// The chain of targets, the nearest first.
  var targets: [WorkQueue] {
    Self.hierarchy.withLock { _ in
      var found: [WorkQueue] = []
      while let next = (found.last ?? self).target { found.append(next) }
      return found
    }
  }

  /// Changes the target; only the holder may call this.
  func move(to destination: Destination) {
    _ = move(to: destination, unless: { false })
  }

  /// Changes the target, unless that is the duty of another thread.
  ///
  /// - Returns: Whether the target was changed; it is not when `isHeld`, called under the lock,
  ///   reports that another thread may be the holder.
  private func move(to destination: Destination, unless isHeld: () -> Bool) -> Bool {
    // The old target is released outside of the lock.
    let old: Destination? = Self.hierarchy.withLock { _ in
      if isHeld() { return nil }
      requireUse(!makesCycle(destination), "The queue \(label) would target itself.", "S84")
      defer {
        self.destination.value = destination
        shownClass.store(destination.qosClass.rawValue, ordering: .relaxed)
      }
      return self.destination.value
    }
    return old != nil
  }

  private func makesCycle(_ destination: Destination) -> Bool {
    var next = destination.target
    while let queue = next, queue !== self { next = queue.target }
    return next != nil
  }
}
