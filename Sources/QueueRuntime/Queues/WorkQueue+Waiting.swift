internal import IOChannelsLocks

extension WorkQueue {
  /// Stops the program when the calling thread, about to wait for the queue, would wait for itself.
  ///
  /// It would if it occupies the queue, or exclusively occupies a target of the queue.
  func checkThatWaitingEnds(besides allowed: QueueFrame.Occupation = .none) {
    guard QueueFrame.isInside || MainThread.isCurrent else { return }
    let occupation = occupationByCaller
    requireUse(
      occupation == .none || occupation == allowed,
      "A thread that waits for the queue \(label), whose work it runs, waits for itself.",
      "S83"
    )
    let blocked = targetThatCallerBlocks
    requireUse(
      blocked == nil,
      "A thread that waits for the queue \(label), which waits for \(blocked?.label ?? ""), "
        + "whose work it runs, waits for itself.",
      "S83"
    )
  }

  private var targetThatCallerBlocks: WorkQueue? {
    Self.hierarchy.withLock { _ in
      var queue = self
      // An inactive queue may still get another target.
      while !queue.isInactive, let target = queue.target {
        if target.occupationByCaller == .exclusive { return target }
        queue = target
      }
      return nil
    }
  }
}
