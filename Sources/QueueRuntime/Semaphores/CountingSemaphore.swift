internal import IOChannelsLocks

/// A counting semaphore for threads and tasks.
///
/// A thread or task that finds no permit waits for a `signal`; waiters get permits in the order in
/// which they came (<doc:Rules#S87>). While no waiter exists, `wait` and `signal` cost one atomic
/// operation each. All members may be called on any thread.
public final class CountingSemaphore: Sendable {
  private enum Waiter: Sendable {
    case thread(SyncGate)
    case task(CheckedContinuation<Void, Never>)

    func isThread(_ gate: SyncGate) -> Bool {
      if case .thread(let other) = self { other === gate } else { false }
    }
  }

  private let word: AtomicState<SemaphoreWord>
  private let waiters = BargingLock(SemaphoreWaiters<Waiter>())
  private let initialValue: Int

  /// Creates a semaphore with an initial number of permits.
  ///
  /// - Precondition: The number is not negative.
  public init(value: Int) {
    requireUse(value >= 0, "A semaphore begins with permits, not with a debt.", "S87")
    word = AtomicState(SemaphoreWord(value: value))
    initialValue = value
  }

  deinit {
    requireUse(
      word.now.value >= initialValue,
      "A semaphore is not released while permits are out.",
      "S87"
    )
  }

  /// Adds a permit and wakes the longest waiter, if any.
  ///
  /// - Returns: 0, or another number when a waiter got the permit.
  @discardableResult
  public func signal() -> Int {
    guard word.add(SemaphoreWord.giving).given.hasTaker else { return 0 }
    grantPermit()
    return 1
  }

  @inline(never)
  private func grantPermit() {
    switch waiters.withLock({ $0.grantPermit() }) {
    case .thread(let gate): gate.open()
    case .task(let continuation): continuation.resume()
    // A waiter is about to arrive, and will find the permit.
    case nil: break
    }
  }

  /// Takes a permit; blocks the calling thread until one is available. A task uses ``acquire()``.
  @available(*, noasync, message: "In a task write 'await semaphore.acquire()'")
  public func wait() {
    if word.add(SemaphoreWord.taking).taken.mustWait { waitForPermit() }
  }

  @inline(never)
  private func waitForPermit() {
    let gate = SyncGate()
    if !waiters.withLock({ $0.acquirePermit(orAdd: .thread(gate)) }) { gate.pass() }
  }

  /// Takes a permit; suspends the calling task until one is available. Cancellation does not end
  /// the wait.
  public func acquire() async {
    guard word.add(SemaphoreWord.taking).taken.mustWait else { return }
    await withCheckedContinuation { continuation in
      let isThere = waiters.withLock { $0.acquirePermit(orAdd: .task(continuation)) }
      if isThere { continuation.resume() }
    }
  }

  /// Takes a permit if one becomes available before the time limit.
  func wait(_ nanosecondsLeft: () -> Int64) -> WaitResult {
    if word.changeIfPossible(\.takenIfAny) { return .success }
    if nanosecondsLeft() <= 0 { return .timedOut }
    guard word.add(SemaphoreWord.taking).taken.mustWait else { return .success }
    let gate = SyncGate()
    if waiters.withLock({ $0.acquirePermit(orAdd: .thread(gate)) }) { return .success }
    if gate.pass(nanosecondsLeft) { return .success }
    if cancelWait(gate) { return .timedOut }
    // The permit was added at the last moment and is about to be delivered.
    gate.pass()
    return .success
  }

  /// Removes a waiting thread from the list, unless a permit for it is on its way.
  private func cancelWait(_ gate: SyncGate) -> Bool {
    waiters.withLock { waiters in
      guard waiters.contains(where: { $0.isThread(gate) }) else { return false }
      // Each waiter in the list counts as minus one, until a permit is added for it.
      guard word.changeIfPossible(\.waitCancelled) else { return false }
      waiters.remove { $0.isThread(gate) }
      return true
    }
  }
}
