/// Counts work that is under way and tells when all of it is done.
///
/// A group may be used again after its count has reached 0 (S86). All members may be called on any
/// thread.
public final class WorkGroup: Sendable {
  /// Who waits for the count to reach 0.
  private struct Sleeper {
    enum Kind {
      case thread(SyncGate)
      case task(CheckedContinuation<Void, Never>)
    }

    let generation: UInt32
    let kind: Kind

    func isThread(_ gate: SyncGate) -> Bool {
      if case .thread(let other) = kind { other === gate } else { false }
    }
  }

  /// What is submitted then.
  private struct Handler {
    let generation: UInt32
    let queue: WorkQueue
    let qos: WorkQueue.QoS
    let flags: WorkItem.Flags
    let body: @Sendable () -> Void
  }

  private struct Waiters {
    var sleepers: [Sleeper] = []
    /// In the order of their generations.
    var handlers = FirstInFirstOut<Handler>()
    /// Whether a thread submits handlers.
    var isSubmitting = false
  }

  private let word = AtomicState(GroupWord())
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
    let (before, releases) = word.change(\.left)
    guard releases else { return }
    wake(before.generation)
    submitHandlers()
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
    if !addHandler(queue, qos, flags, body) {
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
      let index = waiters.sleepers.firstIndex { $0.generation == generation && $0.isThread(gate) }
      if let index { waiters.sleepers.remove(at: index) }
      return index != nil
    }
    return isWaiting ? .timedOut : .success
  }

  private func addThread() -> (SyncGate, UInt32)? {
    if word.now.count == 0 { return nil }
    let gate = SyncGate()
    return add(.thread(gate)).map { (gate, $0) }
  }

  /// Adds who waits, or gives nil when the count is 0.
  private func add(_ kind: Sleeper.Kind) -> UInt32? {
    // The lock is held over both steps, so that the release of this generation finds it.
    waiters.withLock { waiters in
      let (before, isAdded) = announce()
      guard isAdded else { return nil }
      waiters.sleepers.append(Sleeper(generation: before.generation, kind: kind))
      return before.generation
    }
  }

  /// Adds a handler, or gives false when the count is 0 and no other one goes before it.
  private func addHandler(
    _ queue: WorkQueue,
    _ qos: WorkQueue.QoS,
    _ flags: WorkItem.Flags,
    _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    waiters.withLock { waiters in
      let (before, isAdded) = announce()
      var generation = before.generation
      if !isAdded {
        let isDue = waiters.handlers.first.map { $0.generation != generation } ?? false
        guard waiters.isSubmitting || isDue else { return false }
        // Behind those that are about to be submitted, as one of them.
        generation &-= 1
      }
      waiters.handlers.append(
        Handler(generation: generation, queue: queue, qos: qos, flags: flags, body: body)
      )
      return true
    }
  }

  /// Says that somebody waits, unless the count is 0.
  private func announce() -> (before: GroupWord, isAdded: Bool) {
    let (before, isAdded) = word.change { ($0.awaited ?? $0, $0.count != 0) }
    return (before, isAdded)
  }

  private func wake(_ generation: UInt32) {
    let woken = waiters.withLock { waiters in
      let woken = waiters.sleepers.filter { $0.generation == generation }
      waiters.sleepers.removeAll { $0.generation == generation }
      return woken
    }
    for sleeper in woken {
      switch sleeper.kind {
      case .thread(let gate): gate.open()
      case .task(let continuation): continuation.resume()
      }
    }
  }

  /// Submits the handlers whose count has reached 0: one thread those of all that leave meanwhile,
  /// so that they stay in order.
  private func submitHandlers() {
    let isMine = waiters.withLock { waiters in
      defer { waiters.isSubmitting = true }
      return !waiters.isSubmitting
    }
    guard isMine else { return }
    while let handler = nextHandler() { Self.submit(consume handler) }
  }

  /// Takes the oldest handler whose count has reached 0; without one the submitting is over.
  private func nextHandler() -> Handler? {
    waiters.withLock { waiters in
      if let first = waiters.handlers.first, first.generation != word.now.generation {
        return waiters.handlers.popFirst()
      }
      waiters.isSubmitting = false
      return nil
    }
  }

  /// What a handler holds is handed on: it goes where the handler runs (S82).
  private static func submit(_ handler: consuming Handler) {
    let (queue, qos, flags) = (handler.queue, handler.qos, handler.flags)
    queue.async(qos: qos, flags: flags, execute: (consume handler).body)
  }
}
