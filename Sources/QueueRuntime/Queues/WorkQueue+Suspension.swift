internal import IOChannelsLocks

extension WorkQueue {
  /// Prevents further work from starting until `resume` was called as often as `suspend`.
  ///
  /// Running work continues. Queues that target this one stop when they need it. The global queues
  /// and the main queue are never stopped.
  public func suspend() {
    guard kind == .own else { return }
    suspension.change(\.suspended)
  }

  /// Ends one suspension.
  ///
  /// - Precondition: The queue is active, and every call matches an earlier `suspend`.
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
    if wakes { core.submitRest(of: self) }
  }

  /// Starts the work of a queue that was created inactive; on other queues it has no effect.
  public func activate() {
    guard isInactive else { return }
    // A target change that found the queue inactive ends before the activation.
    let wakes = Self.hierarchy.withLock { _ in suspension.change(\.activated).answer }
    if wakes { core.submitRest(of: self) }
  }

  /// Whether further work may not start.
  ///
  /// A thread that sees the queue active also sees its last target.
  @inline(__always)
  var isStopped: Bool { suspension.now.isStopped }

  var isInactive: Bool { suspension.now.isInactive }

  /// Leaves the draining of the queue to the thread that ends the stop; only the holder may call
  /// this.
  ///
  /// - Returns: False when the queue is not stopped any more.
  func parkDrain() -> Bool { suspension.changeIfPossible(\.parking) }
}
