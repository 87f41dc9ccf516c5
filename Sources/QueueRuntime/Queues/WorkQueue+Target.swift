extension WorkQueue {
  /// Held while targets change and while somebody follows them without holding the queues.
  private static let hierarchy = BargingLock<Void>(())

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
    if isInactive { return move(to: home) }
    Swift.precondition(
      isRetargetable,
      "A queue that was made with a target or inactive keeps its target once it is active."
    )
    add(.move(home), isBarrier: true)
  }

  /// Changes the place where the queue's work is run; only the holder may call this.
  func move(to home: Home) {
    let makesCircle = Self.hierarchy.withLock { _ in
      var next = home.target
      while let queue = next, queue !== self { next = queue.target }
      if next == nil { self.home.value = home }
      return next != nil
    }
    Swift.precondition(!makesCircle, "The queue \(label) would target itself.")
  }
}
