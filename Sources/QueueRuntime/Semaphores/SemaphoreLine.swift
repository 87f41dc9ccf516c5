/// Those who wait for a permit, and permits whose takers are on their way here.
///
/// Giving and taking begin with a change of the semaphore's number, which tells whether they meet
/// here; either may come first.
struct SemaphoreLine<Waiter: Sendable>: Sendable {
  private(set) var waiting = FirstInFirstOut<Waiter>()
  private(set) var permits = 0

  /// Adds somebody who waits, unless a permit is there already.
  ///
  /// - Returns: Whether there was one; it is taken.
  mutating func takePermit(orAdd waiter: Waiter) -> Bool {
    if permits > 0 {
      permits -= 1
      return true
    }
    waiting.append(waiter)
    return false
  }

  /// Gives a permit to whoever waits longest, or keeps it for whoever comes.
  mutating func givePermit() -> Waiter? {
    guard let waiter = waiting.popFirst() else {
      permits += 1
      return nil
    }
    return waiter
  }

  /// Takes somebody away who gives up waiting.
  mutating func remove(where condition: (Waiter) -> Bool) {
    _ = waiting.removeFirst(where: condition)
  }

  /// Whether somebody waits.
  func contains(where condition: (Waiter) -> Bool) -> Bool {
    waiting.contains(where: condition)
  }
}
