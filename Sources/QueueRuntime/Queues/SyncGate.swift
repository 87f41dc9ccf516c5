internal import Synchronization
internal import SystemCalls

/// Where one thread waits until another lets it pass, once.
final class SyncGate: Sendable {
  /// 0 while closed, 1 when somebody is parked before it, 2 when open.
  private let word = Atomic<UInt32>(0)

  /// Lets the waiting thread pass; everything done before is visible to it.
  func open() {
    if word.exchange(2, ordering: .acquiringAndReleasing) == 1 { word.unpark() }
  }

  /// Waits until the gate is open.
  func pass() {
    if isOpenSoon() { return }
    while announce() { word.park(while: 1) }
  }

  /// Waits until the gate is open, or until there is no time left.
  ///
  /// - Parameter nanosecondsLeft: The time left, 0 when it is up.
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

  /// Waits without giving up the processor, as long as one hand-over to a running thread takes.
  private func isOpenSoon() -> Bool {
    spin { word.load(ordering: .acquiring) == 2 }
  }

  /// Notes that somebody is about to park; says whether the gate is still closed.
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
