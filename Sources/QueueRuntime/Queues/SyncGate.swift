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
    if !spin() { _ = parkUntilOpen(deadline: nil) }
  }

  /// Waits until the gate is open, at most for a time.
  ///
  /// - Returns: Whether it is open.
  func pass(within limit: Duration) -> Bool {
    spin() || parkUntilOpen(deadline: .now + min(limit, .seconds(1 << 40)))
  }

  /// Waits without giving up the processor, as long as one hand-over to a running thread takes.
  private func spin() -> Bool {
    for _ in 0..<128 {
      if word.load(ordering: .acquiring) == 2 { return true }
      spinHint()
    }
    return false
  }

  private func parkUntilOpen(deadline: ContinuousClock.Instant?) -> Bool {
    _ = word.compareExchange(
      expected: 0,
      desired: 1,
      successOrdering: .relaxed,
      failureOrdering: .relaxed
    )
    while word.load(ordering: .acquiring) != 2 {
      let left = deadline.map { ContinuousClock.now.duration(to: $0) }
      if let left, left <= .zero { return false }
      word.park(while: 1, nanoseconds: left?.clampedNanoseconds)
    }
    return true
  }
}

extension Duration {
  /// The whole nanoseconds, as many as a wait of the kernel takes.
  fileprivate var clampedNanoseconds: Int64 {
    // A year is long enough for one wait, after which the caller looks at its deadline again.
    let seconds = min(components.seconds, 31_536_000)
    return seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
