/// Who waits for the next moment to look at a copy.
///
/// A wait can be ended before its waiter is there, so each one is known by a number first.
struct UpdateWaiters<Waiter> {
  private enum Wait {
    case begun
    case ended
    case waiting(Waiter)
  }

  private var waits: [UInt64: Wait] = [:]
  private var next: UInt64 = 0
  private(set) var isFinished = false

  /// How many waits are under way, one for each sequence that is asked for its next element.
  var count: Int { waits.count }

  /// Begins a wait.
  mutating func begin() -> UInt64 {
    next += 1
    waits[next] = .begun
    return next
  }

  /// Brings the waiter of a wait.
  ///
  /// - Returns: The waiter when it is to go on at once.
  mutating func park(_ waiter: Waiter, as number: UInt64) -> Waiter? {
    if case .begun? = waits[number], !isFinished {
      waits[number] = .waiting(waiter)
      return nil
    }
    waits[number] = nil
    return waiter
  }

  /// Ends a wait; nothing happens when it has ended.
  ///
  /// - Returns: The waiter when it is there already.
  mutating func end(_ number: UInt64) -> Waiter? {
    switch waits[number] {
    case .waiting(let waiter):
      waits[number] = nil
      return waiter
    case .begun:
      waits[number] = .ended
      return nil
    case .ended, nil: return nil
    }
  }

  /// Ends all waits, also those that come later.
  ///
  /// - Returns: The waiters that are there.
  mutating func finish() -> [Waiter] {
    isFinished = true
    var waiters: [Waiter] = []
    for (number, wait) in waits {
      guard case .waiting(let waiter) = wait else { continue }
      waiters.append(waiter)
      waits[number] = nil
    }
    return waiters
  }
}
