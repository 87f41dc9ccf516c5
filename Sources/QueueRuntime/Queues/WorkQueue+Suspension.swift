internal import Synchronization

extension WorkQueue {
  /// Keeps further work from starting until as many calls of `resume` have followed.
  ///
  /// What runs goes on. Queues that target this one are stopped when they need it. The global
  /// queues and the main queue are never stopped.
  public func suspend() {
    guard kind == .own else { return }
    _ = changeSuspension { ($0.suspended, false) }
  }

  /// Takes one suspension back.
  ///
  /// - Precondition: The queue is active and was suspended more often than resumed.
  public func resume() {
    guard kind == .own else { return }
    let wakes = changeSuspension { word in
      Swift.precondition(
        word.suspensions > 0 || !word.isInactive,
        "An inactive queue is activated, not resumed."
      )
      return word.resumed
    }
    if wakes { submitDrain() }
  }

  /// Lets a queue that was made inactive start its work; otherwise does nothing.
  public func activate() {
    guard isInactive else { return }
    // A change of the target that found the queue inactive ends before.
    let wakes = Self.hierarchy.withLock { _ in changeSuspension(\.activated) }
    if wakes { submitDrain() }
  }

  /// Whether further work may not start.
  ///
  /// Whoever sees the queue active also sees the target that it got before.
  @inline(__always)
  var isStopped: Bool { SuspensionWord(bits: suspension.load(ordering: .acquiring)).isStopped }

  var isInactive: Bool { suspensionWord.isInactive }

  var suspensionWord: SuspensionWord {
    SuspensionWord(bits: suspension.load(ordering: .acquiring))
  }

  /// Leaves the draining of the queue to whoever ends the stop; only the holder may call this.
  ///
  /// - Returns: False when there is no stop any more.
  func parkDrain() -> Bool {
    var seen = SuspensionWord(bits: suspension.load(ordering: .acquiring))
    while let next = seen.parking {
      if replaceSuspension(&seen, with: next) { return true }
    }
    return false
  }

  /// - Returns: Whether the caller has to have the queue drained.
  private func changeSuspension(
    _ transition: (SuspensionWord) -> (next: SuspensionWord, wakes: Bool)
  ) -> Bool {
    var seen = SuspensionWord(bits: suspension.load(ordering: .relaxed))
    while true {
      let (next, wakes) = transition(seen)
      if replaceSuspension(&seen, with: next) { return wakes }
    }
  }

  private func replaceSuspension(
    _ seen: inout SuspensionWord,
    with next: SuspensionWord
  ) -> Bool {
    let (exchanged, found) = suspension.weakCompareExchange(
      expected: seen.bits,
      desired: next.bits,
      successOrdering: .acquiringAndReleasing,
      failureOrdering: .acquiring
    )
    if !exchanged { seen = SuspensionWord(bits: found) }
    return exchanged
  }
}
