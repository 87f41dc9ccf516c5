internal import Synchronization
internal import IOChannelsSystem

/// A gate at which one thread waits until another opens it, once.
final class SyncGate: Sendable {
  /// The state: 0 while closed, 1 when a thread is parked at it, 2 when open.
  private let word = Atomic<UInt32>(0)

  /// Opens the gate; the waiting thread sees all earlier memory writes.
  func open() {
    if word.exchange(2, ordering: .acquiringAndReleasing) == 1 { word.unpark() }
  }

  /// Waits until the gate is open.
  func pass() {
    if isOpenSoon() { return }
    while announce() { word.park(while: 1) }
  }

  /// Waits until the gate is open, or until no time is left.
  ///
  /// - Parameter nanosecondsLeft: Returns the time left, 0 when there is none.
  /// - Returns: Whether the gate is open.
  func pass(_ nanosecondsLeft: () -> Int64) -> Bool {
    if isOpenSoon() { return true }
    while announce() {
      let left = nanosecondsLeft()
      if left <= 0 { return false }
      word.park(while: 1, nanoseconds: left)
    }
    return true
  }

  /// Spins for about as long as a running thread needs to open the gate.
  private func isOpenSoon() -> Bool {
    spin { word.load(ordering: .acquiring) == 2 }
  }

  /// Announces that a thread is about to park; returns whether the gate is still closed.
  private func announce() -> Bool {
    _ = word.compareExchange(
      expected: 0,
      desired: 1,
      successOrdering: .relaxed,
      failureOrdering: .relaxed
    )
    return word.load(ordering: .acquiring) != 2
  }
}
