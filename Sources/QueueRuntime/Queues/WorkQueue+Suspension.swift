extension WorkQueue {
  /// Keeps further work from starting until as many calls of `resume` have followed.
  ///
  /// What runs goes on. Queues that target this one are stopped when they need it. The global
  /// queues and the main queue are never stopped.
  public func suspend() {
    guard kind == .own else { return }
    suspension.change(\.suspended)
  }

  /// Takes one suspension back.
  ///
  /// - Precondition: The queue is active and was suspended more often than resumed.
  public func resume() {
    guard kind == .own else { return }
    let (_, wakes) = suspension.change { word in
      requireUse(
        word.suspensions > 0 || !word.isInactive,
        "An inactive queue is activated, not resumed.",
        "S84"
      )
      return word.resumed
    }
    if wakes { lane.submitRest(of: self) }
  }

  /// Lets a queue that was made inactive start its work; otherwise does nothing.
  public func activate() {
    guard isInactive else { return }
    // A change of the target that found the queue inactive ends before.
    let wakes = Self.hierarchy.withLock { _ in suspension.change(\.activated).answer }
    if wakes { lane.submitRest(of: self) }
  }

  /// Whether further work may not start.
  ///
  /// Whoever sees the queue active also sees the target that it got before.
  @inline(__always)
  var isStopped: Bool { suspension.now.isStopped }

  var isInactive: Bool { suspension.now.isInactive }

  /// Leaves the draining of the queue to whoever ends the stop; only the holder may call this.
  ///
  /// - Returns: False when there is no stop any more.
  func parkDrain() -> Bool { suspension.changeIfPossible(\.parking) }
}
