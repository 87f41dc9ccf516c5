public import IOChannelsLocks

/// A counting semaphore for threads and tasks.
///
/// A thread or task that finds no permit waits for a `signal`; waiters get permits in the order in
/// which they came (<doc:Rules#S87>). While no waiter exists, `wait` and `signal` cost one atomic
/// operation each. All members may be called on any thread.
public final class CountingSemaphore: Sendable {
  enum Waiter: Sendable {
    case thread(SyncGate)
    case task(TaskWait)

    /// Whether it is the waiter with the given gate or wait.
    func has(_ owner: AnyObject) -> Bool {
      switch self {
      case .thread(let gate): gate === owner
      case .task(let wait): wait === owner
      }
    }
  }

  @usableFromInline let word: AtomicState<SemaphoreWord>
  private let waiters = BargingLock(SemaphoreWaiters<Waiter>())
  private let initialValue: Int
  package let attachment = ColdState(ObjectContext())

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
    disposeOfContext()
  }

  /// The permits left, or minus the number of waiters, at this moment; for debugging.
  package var value: Int { word.now.value }

  /// Adds a permit and wakes the longest waiter, if any.
  ///
  /// - Returns: 0, or another number when a waiter got the permit.
  @discardableResult
  public func signal() -> Int { signalInPlace() }

  /// Does the same as `signal`, inlined into the functions of C.
  @inlinable
  @inline(__always)
  package func signalInPlace() -> Int {
    guard word.add(SemaphoreWord.giving).given.hasTaker else { return 0 }
    grantPermit()
    return 1
  }

  @inline(never)
  @usableFromInline
  func grantPermit() {
    switch waiters.withLock({ $0.grantPermit() }) {
    case .thread(let gate): gate.open()
    case .task(let wait): wait.end(.event)
    // A waiter is about to arrive, and will find the permit.
    case nil: break
    }
  }

  /// Takes a permit; blocks the calling thread until one is available. A task uses ``acquire()``.
  @available(*, noasync, message: "In a task write 'try await semaphore.acquire()'")
  public func wait() { waitInPlace() }

  /// Does the same as `wait`, inlined into the functions of C.
  @inlinable
  @inline(__always)
  package func waitInPlace() {
    if word.add(SemaphoreWord.taking).taken.mustWait { waitForPermit() }
  }

  @inline(never)
  @usableFromInline
  func waitForPermit() {
    let gate = SyncGate()
    if !waiters.withLock({ $0.acquirePermit(orAdd: .thread(gate)) }) { gate.pass() }
  }

  /// Takes a permit if one becomes available before the time limit.
  func wait(_ nanosecondsLeft: () -> Int64) -> WaitResult {
    if takePermit() { return .success }
    if nanosecondsLeft() <= 0 { return .timedOut }
    let gate = SyncGate()
    if takePermit(orAdd: .thread(gate)) { return .success }
    if gate.pass(nanosecondsLeft) { return .success }
    if cancelWait(gate) { return .timedOut }
    // The permit was added at the last moment and is about to be delivered.
    gate.pass()
    return .success
  }

  /// Takes a permit if one is available.
  func takePermit() -> Bool { word.changeIfPossible(\.takenIfAny) }

  /// Takes a permit, or adds a waiter; returns whether a permit was taken.
  func takePermit(orAdd waiter: Waiter) -> Bool {
    guard word.add(SemaphoreWord.taking).taken.mustWait else { return true }
    return waiters.withLock { $0.acquirePermit(orAdd: waiter) }
  }

  /// Removes the waiter with a gate or wait, unless a permit for it is on its way.
  ///
  /// - Returns: Whether it was removed. Otherwise it has a permit, or will get one at once.
  /// - Complexity: O(number of waiters)
  func cancelWait(_ owner: AnyObject) -> Bool {
    waiters.withLock { waiters in
      guard waiters.contains(where: { $0.has(owner) }) else { return false }
      // Each waiter in the list counts as minus one, until a permit is added for it.
      guard word.changeIfPossible(\.waitCancelled) else { return false }
      waiters.remove { $0.has(owner) }
      return true
    }
  }
}
