internal import IOChannelsLocks

/// The waiters of a semaphore, and the permits whose takers are about to arrive.
///
/// `signal` and `wait` begin with a change of the semaphore's word, which reports whether they meet
/// here; either may arrive first.
struct SemaphoreWaiters<Waiter: Sendable>: Sendable {
  private(set) var waiting = FirstInFirstOut<Waiter>()
  private(set) var permits = 0

  /// Acquires an available permit, or adds a waiter.
  ///
  /// - Returns: Whether a permit was taken.
  mutating func acquirePermit(orAdd waiter: Waiter) -> Bool {
    if permits > 0 {
      permits -= 1
      return true
    }
    waiting.append(waiter)
    return false
  }

  /// Grants a permit to the oldest waiter, or keeps it for a waiter that is about to arrive.
  mutating func grantPermit() -> Waiter? {
    guard let waiter = waiting.popFirst() else {
      permits += 1
      return nil
    }
    return waiter
  }

  /// Removes a waiter that has timed out.
  mutating func remove(where condition: (Waiter) -> Bool) {
    _ = waiting.removeFirst(where: condition)
  }

  /// Returns whether a waiter satisfies a condition.
  func contains(where condition: (Waiter) -> Bool) -> Bool {
    waiting.contains(where: condition)
  }
}
