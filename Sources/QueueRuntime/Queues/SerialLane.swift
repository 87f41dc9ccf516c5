internal import Synchronization
internal import SystemCalls

/// The machinery of a serial queue: a list that is held by whoever runs its items.
///
/// The holder is a worker of the pool, to which the lane was submitted by the one who added to the
/// free list, or a thread inside `sync`. `HoldWord` has the transitions.
final class SerialLane: PoolJob {
  /// The items that a worker runs before it looks whether another job waits for the thread.
  private static let turn = 64

  private let list = ManyToOneList<QueuedWork>()
  /// The thread that runs an item, 0 for none.
  private let owner = Atomic<UInt64>(0)
  private let pool: WorkerPool

  init(pool: WorkerPool) {
    self.pool = pool
  }

  func async(_ work: consuming QueuedWork) {
    if list.add(work) { pool.submit(self) }
  }

  func sync<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = PlatformThread.currentToken
    precondition(
      owner.load(ordering: .relaxed) != thread,
      "sync on a serial queue from one of its own items would wait for itself."
    )
    if !list.hold() { waitForTurn() }
    owner.store(thread, ordering: .relaxed)
    defer { handOver() }
    return try body()
  }

  private func waitForTurn() {
    let gate = SyncGate()
    if list.add(.admit(gate)) {
      // The list became free meanwhile, so this is its only holder and the gate its oldest item.
      _ = list.takeFirst()
    } else {
      gate.pass()
    }
  }

  /// Ends a thread's hold: lets the next waiting thread in, or has the pool go on.
  private func handOver() {
    owner.store(0, ordering: .relaxed)
    if list.release() { return }
    if let gate = list.takeFirst(if: { $0.gate != nil })?.gate {
      gate.open()
    } else {
      pool.submit(self)
    }
  }

  func run() {
    let thread = PlatformThread.currentToken
    owner.store(thread, ordering: .relaxed)
    var left = Self.turn
    while true {
      guard let work = list.takeFirst() else {
        owner.store(0, ordering: .relaxed)
        if list.release() { return }
        owner.store(thread, ordering: .relaxed)
        continue
      }
      if let gate = work.gate {
        owner.store(0, ordering: .relaxed)
        return gate.open()
      }
      (consume work).perform()
      left -= 1
      if left > 0 { continue }
      if pool.hasWaitingJobs {
        owner.store(0, ordering: .relaxed)
        return pool.submit(self)
      }
      left = Self.turn
    }
  }
}
