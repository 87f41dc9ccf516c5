internal import Synchronization

extension WorkQueue {
  /// Held while targets change and while somebody follows them without holding the queues.
  static let hierarchy = BargingLock<Void>(())

  /// Sets the queue as whose work everything in this one is run, nil for the pool's workers.
  ///
  /// Before the activation the target changes at once. After it the change takes its turn like a
  /// barrier: what was submitted before runs with the old target. It does not concern global queues
  /// and the main queue.
  ///
  /// - Precondition: The queue is inactive, or was made active and without a target. The targets
  ///   make no circle.
  public func setTarget(queue: WorkQueue?) {
    guard kind == .own else { return }
    let home = Home(queue, for: qos)
    if move(to: home, unless: { !self.isInactive }) { return }
    requireUse(
      isRetargetable,
      "A queue that was made with a target or inactive keeps its target once it is active.",
      "S77"
    )
    // It needs no worker for long, and handlers may follow it.
    add(.move(home), isBarrier: true, for: DrainCause(isDelivery: true))
  }

  /// The queues as whose work this one's is run, the nearest first.
  var targets: [WorkQueue] {
    Self.hierarchy.withLock { _ in
      var found: [WorkQueue] = []
      while let next = (found.last ?? self).target { found.append(next) }
      return found
    }
  }

  /// Changes the place where the queue's work is run; only the holder may call this.
  func move(to home: Home) {
    _ = move(to: home, unless: { false })
  }

  /// Changes the place, unless that is for somebody else to do.
  ///
  /// - Returns: Whether the place was changed; it is not when `isHeld`, asked under the lock, says
  ///   that somebody else may be the holder.
  private func move(to home: Home, unless isHeld: () -> Bool) -> Bool {
    // The old target is let go of outside of the lock.
    let old: Home? = Self.hierarchy.withLock { _ in
      if isHeld() { return nil }
      requireUse(!makesCircle(home), "The queue \(label) would target itself.", "S84")
      defer {
        self.home.value = home
        shownClass.store(home.qosClass.rawValue, ordering: .relaxed)
      }
      return self.home.value
    }
    return old != nil
  }

  private func makesCircle(_ home: Home) -> Bool {
    var next = home.target
    while let queue = next, queue !== self { next = queue.target }
    return next != nil
  }
}
