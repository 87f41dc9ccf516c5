/// Counts work that is under way and tells when all of it is done.
///
/// A group may be used again after its count has reached 0 (S86). All members may be called on any
/// thread.
public final class WorkGroup: Sendable {
  private struct Waiter {
    enum Kind {
      case thread(SyncGate)
      case task(CheckedContinuation<Void, Never>)
      case handler(WorkQueue, WorkQueue.QoS, WorkItem.Flags, @Sendable () -> Void)
    }

    var generation: UInt32
    var kind: Kind

    func isThread(_ gate: SyncGate) -> Bool {
      if case .thread(let other) = kind { other === gate } else { false }
    }
  }

  private struct Waiters {
    var line = FirstInFirstOut<Waiter>()
    /// Whether a thread lets those go on whose count has reached 0.
    var isReleasing = false
  }

  private let word = AtomicState(GroupWord())
  /// In the order of their generations.
  private let waiters = BargingLock(Waiters())
  let attachment = BargingLock(ObjectContext())

  /// Makes a group that nobody has entered.
  public init() {}

  deinit {
    let disposal = attachment.withLock(\.disposal)
    if let disposal, WorkerPool.shared.isOfThisProcess {
      WorkQueue.global().async(execute: disposal)
    }
  }

  /// Adds one to the count.
  ///
  /// At most 2,147,483,647 may be inside at once.
  public func enter() {
    word.change(\.entered)
  }

  /// Takes one from the count.
  ///
  /// When it reaches 0, waiting threads go on and handlers are submitted in the order of `notify`.
  ///
  /// - Precondition: The group was entered more often than left.
  public func leave() {
    if word.change(\.left).answer { release() }
  }

  /// Blocks the calling thread until the count is 0.
  public func wait() {
    guard let (gate, _) = addThread() else { return }
    gate.pass()
  }

  /// Suspends the calling task until the count is 0, whether cancelled or not.
  public func wait() async {
    await withCheckedContinuation { continuation in
      if add(.task(continuation)) == nil { continuation.resume() }
    }
  }

  /// Submits a closure to a queue once the count is 0, at once if it is.
  ///
  /// What enters after the count has reached 0 does not delay the closure.
  public func notify(
    qos: WorkQueue.QoS = .unspecified,
    flags: WorkItem.Flags = [],
    queue: WorkQueue,
    execute body: @escaping @Sendable () -> Void
  ) {
    if add(.handler(queue, qos, flags, body)) == nil {
      queue.async(qos: qos, flags: flags, execute: body)
    }
  }

  /// Submits an item to a queue once the count is 0, at once if it is.
  public func notify(queue: WorkQueue, work item: WorkItem) {
    notify(qos: item.qos, flags: item.flags, queue: queue) { item.perform() }
  }

  /// Waits until the count is 0 or the time is up; without time it asks only.
  func wait(_ nanosecondsLeft: () -> Int64) -> WaitResult {
    if nanosecondsLeft() <= 0 {
      return word.now.count == 0 ? .success : .timedOut
    }
    guard let (gate, generation) = addThread() else { return .success }
    if gate.pass(nanosecondsLeft) { return .success }
    let isWaiting = waiters.withLock { waiters in
      let own = waiters.line.removeFirst { $0.generation == generation && $0.isThread(gate) }
      // Those before it may take long to go on after the count has reached 0.
      return own != nil && word.now.generation == generation
    }
    return isWaiting ? .timedOut : .success
  }

  private func addThread() -> (SyncGate, UInt32)? {
    if word.now.count == 0 { return nil }
    let gate = SyncGate()
    return add(.thread(gate)).map { (gate, $0) }
  }

  /// Adds a waiter, or gives nil when the count is 0 and nobody goes before it.
  private func add(_ kind: Waiter.Kind) -> UInt32? {
    // The lock is held over both steps, so that the release of this generation finds the waiter.
    waiters.withLock { waiters in
      let (before, isAdded) = word.change { ($0.awaited ?? $0, $0.count != 0) }
      var generation = before.generation
      if !isAdded {
        // Behind handlers that are about to be submitted, as one of theirs.
        let isBehind =
          waiters.isReleasing || waiters.line.first.map { $0.generation != generation } ?? false
        guard isBehind, case .handler = kind else { return nil }
        generation &-= 1
      }
      waiters.line.append(Waiter(generation: generation, kind: kind))
      return generation
    }
  }

  /// Lets those go on whose count has reached 0, one thread for all that come meanwhile, so that
  /// handlers are submitted in order.
  private func release() {
    let isMine = waiters.withLock { waiters in
      defer { waiters.isReleasing = true }
      return !waiters.isReleasing
    }
    guard isMine else { return }
    while let kind = next() { Self.goOn(consume kind) }
  }

  /// Takes the oldest waiter whose count has reached 0; without one the release is over.
  private func next() -> Waiter.Kind? {
    waiters.withLock { waiters in
      if let first = waiters.line.first, first.generation != word.now.generation {
        return waiters.line.popFirst()?.kind
      }
      waiters.isReleasing = false
      return nil
    }
  }

  /// What a handler holds is handed on: it goes where the handler runs (S82).
  private static func goOn(_ kind: consuming Waiter.Kind) {
    switch consume kind {
    case .thread(let gate): gate.open()
    case .task(let continuation): continuation.resume()
    case .handler(let queue, let qos, let flags, let body):
      queue.async(qos: qos, flags: flags, execute: consume body)
    }
  }
}
