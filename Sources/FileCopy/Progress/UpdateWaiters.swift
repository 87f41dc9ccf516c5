/// The pending waits for the next element of a sequence of progress values.
///
/// A wait can end before its waiter is registered, so each wait first receives a number.
struct UpdateWaiters<Waiter> {
  private enum Wait {
    case begun
    case ended
    case waiting(Waiter)
  }

  /// The waits; nil before the first one, as most copies have none.
  private var waits: [UInt64: Wait]?
  private var next: UInt64 = 0
  private(set) var isFinished = false

  /// The number of pending waits: one for each iterator whose next element is awaited.
  var count: Int { waits?.count ?? 0 }

  /// Begins a wait and returns its number.
  mutating func begin() -> UInt64 {
    next += 1
    waits = waits ?? [:]
    waits?[next] = .begun
    return next
  }

  /// Registers the waiter of a wait.
  ///
  /// - Returns: The waiter if it must be resumed at once; otherwise nil.
  mutating func park(_ waiter: Waiter, as number: UInt64) -> Waiter? {
    if case .begun? = waits?[number], !isFinished {
      waits?[number] = .waiting(waiter)
      return nil
    }
    waits?[number] = nil
    return waiter
  }

  /// Ends a wait. It has no effect if the wait has ended already.
  ///
  /// - Returns: The waiter to resume, if it is registered already.
  mutating func end(_ number: UInt64) -> Waiter? {
    switch waits?[number] {
    case .waiting(let waiter):
      waits?[number] = nil
      return waiter
    case .begun:
      waits?[number] = .ended
      return nil
    case .ended, nil: return nil
    }
  }

  /// Ends all waits, including later ones.
  ///
  /// - Returns: The registered waiters, which must be resumed.
  mutating func finish() -> [Waiter] {
    isFinished = true
    var waiters: [Waiter] = []
    for (number, wait) in waits ?? [:] {
      guard case .waiting(let waiter) = wait else { continue }
      waiters.append(waiter)
      waits?[number] = nil
    }
    return waiters
  }

  /// Ends all later waits, if there was none before.
  ///
  /// - Returns: Whether there was none. Otherwise ``finish()`` must be called.
  mutating func finishUnused() -> Bool {
    if waits != nil { return false }
    isFinished = true
    return true
  }
}
