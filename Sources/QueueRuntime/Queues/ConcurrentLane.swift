internal import Synchronization
internal import SystemCalls

/// The machinery of a concurrent queue.
///
/// One token goes with the hold on the list. Whoever has it takes an item and, before running it,
/// gives the token on: back to the list if that is empty now, else to the pool, where the next
/// worker finds it. So another item can start as soon as a worker is free, however long this one
/// takes, and the lane waits in the pool at most once. A worker without the token may go on taking
/// items, but leaves barriers, and letting go of the list, to the token's owner. A barrier keeps
/// the token while it waits and runs. `ConcurrentWord` has the transitions.
final class ConcurrentLane: PoolJob {
  private struct Item: Sendable {
    var work: QueuedWork
    var isBarrier = false
  }

  private enum Step {
    /// Run an item; whether the token is to be submitted first.
    case run(QueuedWork, submits: Bool)
    /// A barrier's turn came and this worker went out for it; whether it is exclusive now.
    case barrier(isExclusive: Bool)
    /// Nothing can be taken.
    case nothing
  }

  /// The items that a worker runs before it looks whether another job waits for the thread.
  private static let turn = 64

  private let list = ManyToOneList<Item>()
  private let word = Atomic<UInt64>(0)
  /// The barrier whose turn has come; the lock also lets one worker at a time take from the list.
  private let due = BargingLock<QueuedWork?>(nil)
  /// The thread that runs a barrier, 0 for none.
  private let owner = Atomic<UInt64>(0)
  private let pool: WorkerPool

  init(pool: WorkerPool) {
    self.pool = pool
  }

  func async(_ work: consuming QueuedWork, isBarrier: Bool) {
    if isBarrier { change(\.announced) }
    add(Item(work: work, isBarrier: isBarrier))
  }

  func sync<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    checkOwner()
    if !passes() {
      let gate = SyncGate()
      add(Item(work: .admit(gate)))
      gate.pass()
    }
    defer { leaveAfterSync() }
    return try body()
  }

  func barrierSync<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    checkOwner()
    waitUntilExclusive()
    owner.store(PlatformThread.currentToken, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      change(\.barrierEnded)
      if !list.release() { pool.submit(self) }
    }
    return try body()
  }

  private func checkOwner() {
    precondition(
      owner.load(ordering: .relaxed) != PlatformThread.currentToken,
      "sync on a concurrent queue from one of its own barriers would wait for itself."
    )
  }

  private func add(_ item: consuming Item) {
    if list.add(item) { pool.submit(self) }
  }
}

// MARK: - Threads in sync

extension ConcurrentLane {
  /// Goes inside unless a barrier was announced.
  private func passes() -> Bool {
    var seen = ConcurrentWord(bits: word.load(ordering: .relaxed))
    while let next = seen.passed {
      if replace(&seen, with: next) { return true }
    }
    return false
  }

  private func leaveAfterSync() {
    guard leave() else { return }
    let gate = due.withLock { due in
      let gate = due?.gate
      if gate != nil { due = nil }
      return gate
    }
    if let gate { gate.open() } else { pool.submit(self) }
  }

  private func waitUntilExclusive() {
    let gate = SyncGate()
    change(\.announced)
    guard list.hold() else {
      add(Item(work: .admit(gate), isBarrier: true))
      return gate.pass()
    }
    // With the token and nothing in the list, the barrier's turn is now.
    if !makeDue(.admit(gate)) { gate.pass() }
  }
}

// MARK: - Workers

extension ConcurrentLane {
  /// Comes with the token: for a barrier that is exclusive, or for the list.
  func run() {
    let isExclusive = ConcurrentWord(bits: word.load(ordering: .acquiring)).isExclusive
    if isExclusive && !runBarrier() { return }
    var left = Self.turn
    while drain(&left), runBarrier() {
      left -= 1
      if left <= 0 && pool.hasWaitingJobs { return pool.submit(self) }
    }
  }

  /// Comes inside with the token, takes and runs items, and goes out.
  ///
  /// - Returns: Whether this worker has the token again, with an exclusive barrier.
  private func drain(_ left: inout Int) -> Bool {
    change(\.entered)
    var hasToken = true
    while true {
      switch take(hasToken: hasToken) {
      case .run(let work, let submits):
        if submits { pool.submit(self) }
        hasToken = false
        (consume work).perform()
        left -= 1
        if left <= 0 && pool.hasWaitingJobs { return leave() }
      case .barrier(let isExclusive):
        return isExclusive
      case .nothing:
        return leave()
      }
    }
  }

  private func take(hasToken: Bool) -> Step {
    due.withLock { due in
      while true {
        guard let item = hasToken ? list.takeFirst() : takeUnlessBarrier() else {
          if !hasToken || list.release() { return .nothing }
          continue
        }
        if item.isBarrier {
          due = item.work
          change(\.barrierDue)
          return .barrier(isExclusive: leave())
        }
        guard let gate = item.work.gate else {
          return .run(item.work, submits: hasToken && !list.release())
        }
        change(\.entered)
        gate.open()
      }
    }
  }

  private func takeUnlessBarrier() -> Item? {
    // A waiting barrier has gone from the list, but is older than what is left there.
    if ConcurrentWord(bits: word.load(ordering: .acquiring)).barrierWaits { return nil }
    return list.takeFirst { !$0.isBarrier }
  }

  /// Runs the exclusive barrier, or lets the thread in that waits to.
  ///
  /// - Returns: Whether the token is still here.
  private func runBarrier() -> Bool {
    guard let work = due.withLock({ $0.take() }) else {
      preconditionFailure("An exclusive barrier is there to be run.")
    }
    if let gate = work.gate {
      gate.open()
      return false
    }
    owner.store(PlatformThread.currentToken, ordering: .relaxed)
    (consume work).perform()
    owner.store(0, ordering: .relaxed)
    change(\.barrierEnded)
    return true
  }
}

// MARK: - The word

extension ConcurrentLane {
  /// Sees to it that a barrier is exclusive now or made so by the last one inside.
  ///
  /// - Returns: Whether it is exclusive now; it is not kept then.
  private func makeDue(_ work: QueuedWork) -> Bool {
    due.withLock { due in
      due = work
      let isExclusive = change(\.barrierDue).isExclusive
      if isExclusive { due = nil }
      return isExclusive
    }
  }

  /// Goes out; the caller has to see to the barrier if that made it exclusive.
  private func leave() -> Bool {
    var seen = ConcurrentWord(bits: word.load(ordering: .relaxed))
    while true {
      let (next, makesExclusive) = seen.left
      if replace(&seen, with: next) { return makesExclusive }
    }
  }

  @discardableResult
  private func change(_ transition: (ConcurrentWord) -> ConcurrentWord) -> ConcurrentWord {
    var seen = ConcurrentWord(bits: word.load(ordering: .relaxed))
    while true {
      let next = transition(seen)
      if replace(&seen, with: next) { return next }
    }
  }

  private func replace(_ seen: inout ConcurrentWord, with next: ConcurrentWord) -> Bool {
    let (exchanged, found) = word.weakCompareExchange(
      expected: seen.bits,
      desired: next.bits,
      successOrdering: .acquiringAndReleasing,
      failureOrdering: .relaxed
    )
    if !exchanged { seen = ConcurrentWord(bits: found) }
    return exchanged
  }
}
