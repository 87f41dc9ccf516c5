internal import Synchronization

/// Counts work that is under way and tells when all of it is done.
///
/// A group may be used again after its count has reached 0. All members may be called on any
/// thread.
public final class WorkGroup: Sendable {
  private struct Waiter {
    enum Kind {
      case thread(SyncGate)
      case handler(WorkQueue, @Sendable () -> Void)
    }

    var generation: UInt32
    var kind: Kind

    func isThread(_ gate: SyncGate) -> Bool {
      if case .thread(let other) = kind { other === gate } else { false }
    }
  }

  private let word = Atomic<UInt64>(0)
  private let waiters = BargingLock<[Waiter]>([])

  /// Makes a group that nobody has entered.
  public init() {}

  /// Adds one to the count.
  ///
  /// At most 2,147,483,647 may be inside at once.
  public func enter() {
    _ = change { ($0.entered, ()) }
  }

  /// Takes one from the count.
  ///
  /// When it reaches 0, waiting threads go on and handlers are submitted in the order of `notify`.
  ///
  /// - Precondition: The group was entered more often than left.
  public func leave() {
    let (before, releases) = change { $0.left }
    if releases { release(before.generation) }
  }

  /// Blocks the calling thread until the count is 0.
  public func wait() {
    guard let (gate, _) = addThread() else { return }
    gate.pass()
  }

  /// Blocks the calling thread until the count is 0, at most for `timeout`.
  ///
  /// A timeout of 0 or less asks without waiting.
  public func wait(timeout: Duration) -> WaitResult {
    guard timeout > .zero else {
      return GroupWord(bits: word.load(ordering: .acquiring)).count == 0 ? .success : .timedOut
    }
    guard let (gate, generation) = addThread() else { return .success }
    if gate.pass(within: timeout) { return .success }
    let isWaiting = waiters.withLock { waiters in
      let index = waiters.firstIndex { $0.generation == generation && $0.isThread(gate) }
      if let index { waiters.remove(at: index) }
      return index != nil
    }
    return isWaiting ? .timedOut : .success
  }

  /// Submits a closure to a queue once the count is 0, at once if it is.
  ///
  /// What enters after the count has reached 0 does not delay the closure.
  public func notify(queue: WorkQueue, execute body: @escaping @Sendable () -> Void) {
    if add(.handler(queue, body)) == nil { queue.async(execute: body) }
  }

  private func addThread() -> (SyncGate, UInt32)? {
    if GroupWord(bits: word.load(ordering: .acquiring)).count == 0 { return nil }
    let gate = SyncGate()
    return add(.thread(gate)).map { (gate, $0) }
  }

  /// Adds a waiter, or gives nil when the count is 0.
  private func add(_ kind: Waiter.Kind) -> UInt32? {
    // The lock is held over both steps, so that the release of this generation finds the waiter.
    waiters.withLock { waiters in
      let (before, isAdded) = change { ($0.awaited ?? $0, $0.count != 0) }
      guard isAdded else { return nil }
      waiters.append(Waiter(generation: before.generation, kind: kind))
      return before.generation
    }
  }

  private func release(_ generation: UInt32) {
    let released = waiters.withLock { waiters in
      let released = waiters.filter { $0.generation == generation }
      waiters.removeAll { $0.generation == generation }
      return released
    }
    for waiter in released {
      switch waiter.kind {
      case .thread(let gate): gate.open()
      case .handler(let queue, let body): queue.async(execute: body)
      }
    }
  }

  /// Makes one transition of the word and gives the word before it.
  private func change<Answer>(
    _ transition: (GroupWord) -> (GroupWord, Answer)
  ) -> (GroupWord, Answer) {
    var seen = GroupWord(bits: word.load(ordering: .relaxed))
    while true {
      let (next, answer) = transition(seen)
      let (exchanged, found) = word.weakCompareExchange(
        expected: seen.bits,
        desired: next.bits,
        successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed
      )
      if exchanged { return (seen, answer) }
      seen = GroupWord(bits: found)
    }
  }
}
