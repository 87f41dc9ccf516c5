internal import IOChannelsLocks

/// The core of a concurrent queue: a list, and a token for its removal side.
///
/// One token belongs to the hold on the list. The worker that has it removes an item and, before
/// running the item, passes the token on: back to the list if that is empty now, else to the
/// queue's target, where the next worker finds it. So another item can start as soon as a worker is
/// free, however long this item takes, and the queue waits in its target at most once. A worker
/// without the token may continue to remove items, but leaves barriers, and the release of the
/// list, to the token's owner. A barrier keeps the token while it waits and runs; while the queue
/// is stopped the token is parked. The token may wait in a full pool. A delivery therefore has a
/// spare thread visit the list, which removes deliveries without the token. `ConcurrentWord` has
/// the transitions.
final class ConcurrentQueueCore: QueueCore {
  /// The part of the list that a worker may use.
  private enum Claim {
    /// All items, and the release of the list.
    case token
    /// All items but barriers.
    case items
    /// The items of spare threads, but no barrier.
    case deliveries
  }

  private enum Step: ~Copyable {
    /// An item to run, after which the worker has a smaller claim; with a cause the token is
    /// submitted first.
    case run(QueuedWork, next: Claim, cause: DrainCause?)
    /// A barrier is due and this worker has left the queue for it; whether the barrier is exclusive
    /// now.
    case barrier(isExclusive: Bool)
    /// No item can be removed.
    case nothing
  }

  /// The memory that work needs in the queue.
  static let entryByteCount = ManyToOneList<QueueEntry>.nodeByteCount

  private let list = ManyToOneList<QueueEntry>()
  private let word = AtomicState(ConcurrentWord())
  /// The barrier that is due; the lock also lets one worker at a time remove from the list.
  private let due = BargingLock<QueuedWork?>(nil)

  let isSerial = false
  var counts: (added: Int, taken: Int) { list.counts }
  var isHeld: Bool {
    list.isHeld || word.now.inside > 0
  }

  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool,
    in queue: WorkQueue,
    for cause: DrainCause,
    memory: WorkMemory?
  ) {
    // The holder of the queue may exist only in the parent of a fork. It may also end the last
    // reference to the queue, which a C program does not keep for the call. So only deliveries,
    // which keep it, read it after the addition to a held list.
    queue.checkProcess()
    if isBarrier { word.change(\.announced) }
    let item = QueueEntry(work: work, isBarrier: isBarrier, isDelivery: cause.isDelivery)
    let isFirst =
      if let memory { list.add(item, in: memory.lent) } else { list.add(item) }
    if isFirst { return queue.submitDrain(cause) }
    if cause.isDelivery && WorkerPool.shared.isFullForSomeClass { submitVisit(of: queue) }
  }
}

// MARK: - Threads in sync

extension ConcurrentQueueCore {
  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    if isBarrier { return tryEnterAlone(queue) ? .exclusive : .none }
    return tryEnterBesideOthers(queue) ? .shared : .none
  }

  func enter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    let occupation = tryEnter(queue, isBarrier: isBarrier)
    if occupation != .none { return occupation }
    if isBarrier { waitUntilAlone(in: queue) } else { waitForAdmission(in: queue) }
    return isBarrier ? .exclusive : .shared
  }

  func exit(_ queue: WorkQueue, from occupation: QueueFrame.Occupation) {
    if occupation == .shared {
      if word.change(\.left).answer { admitBarrier(queue) }
    } else {
      word.change(\.barrierEnded)
      if !list.release() { admitNext(queue) }
    }
  }

  /// Passes the token on: admits waiting threads, up to the oldest work that needs a worker.
  @inline(never)
  private func admitNext(_ queue: WorkQueue) {
    let cause: DrainCause? = due.withLock { due in
      while let item = list.takeFirst(if: { $0.gate != nil && !queue.isStopped }) {
        guard let gate = item.gate else { break }
        if item.isBarrier {
          if word.change(\.barrierDue).isExclusive { gate.open() } else { due = .admit(gate) }
          return nil
        }
        word.change(\.entered)
        gate.open()
      }
      return list.release() ? nil : causeOfRest
    }
    if let cause { queue.submitDrain(cause) }
  }

  /// Enters the queue unless a barrier was announced or the queue is stopped.
  private func tryEnterBesideOthers(_ queue: WorkQueue) -> Bool {
    !queue.isStopped && word.changeIfPossible(\.passed)
  }

  /// Stops the program when a thread that cannot enter at once would wait for itself.
  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool) {
    // Behind a barrier even a reader inside the queue waits for itself.
    let hasBarriers = word.now.barriers > 0
    queue.checkThatWaitingEnds(besides: isBarrier || hasBarriers ? .none : .shared)
  }

  @inline(never)
  private func waitForAdmission(in queue: WorkQueue) {
    checkThatCallerMayWait(for: queue, isBarrier: false)
    queue.checkProcess()
    let gate = SyncGate()
    if list.add(QueueEntry(work: .admit(gate))) { admitNext(queue) }
    gate.pass()
  }

  /// Starts the barrier that waited for this thread, the last one inside.
  @inline(never)
  private func admitBarrier(_ queue: WorkQueue) {
    if let gate = queue.isStopped ? nil : takeDueGate() { return gate.open() }
    // Barriers run alone, so those of a queue use at most one spare thread.
    queue.submitDrain(DrainCause(isDelivery: true))
  }

  /// Acquires the queue for this thread alone if no thread is inside and no work waits.
  private func tryEnterAlone(_ queue: WorkQueue) -> Bool {
    guard !queue.isStopped, list.hold() else { return false }
    let isAlone = word.changeIfPossible { $0.inside == 0 ? $0.announced.barrierDue : nil }
    if isAlone { return true }
    // Workers inside may be removing from the list, so its release needs the lock.
    let cause = due.withLock { _ in list.release() ? nil : causeOfRest }
    if let cause { queue.submitDrain(cause) }
    return false
  }

  @inline(never)
  private func waitUntilAlone(in queue: WorkQueue) {
    checkThatCallerMayWait(for: queue, isBarrier: true)
    queue.checkProcess()
    let gate = SyncGate()
    word.change(\.announced)
    if !queue.isStopped && list.hold() {
      // With the token and an empty list, the barrier is due now.
      if makeDue(gate) { return }
    } else if list.add(QueueEntry(work: .admit(gate), isBarrier: true)) {
      admitNext(queue)
    }
    gate.pass()
  }

  private func takeDueGate() -> SyncGate? {
    due.withLock { due in
      let gate = due?.gate
      if gate != nil { due = nil }
      return gate
    }
  }

  /// Makes a waiting thread's barrier due: it is exclusive now, or when the last thread inside
  /// leaves.
  ///
  /// - Returns: Whether it is exclusive now; its gate is not kept then.
  private func makeDue(_ gate: SyncGate) -> Bool {
    due.withLock { due in
      due = .admit(gate)
      let isExclusive = word.change(\.barrierDue).isExclusive
      if isExclusive { due = nil }
      return isExclusive
    }
  }
}

// MARK: - Workers

extension ConcurrentQueueCore {
  func submitRest(of queue: WorkQueue) {
    queue.submitDrain(due.withLock { _ in causeOfRest })
  }

  /// The cause of the next drain; only for the token's owner, which has the lock.
  ///
  /// Items of the program that block would use one spare thread each.
  private var causeOfRest: DrainCause {
    var isDelivery = true
    _ = list.takeFirst {
      isDelivery = $0.isForSpareThreads
      return false
    }
    return DrainCause(isDelivery: isDelivery)
  }

  /// Drains the queue with the token: for a barrier that is exclusive, or for the list.
  func drain(_ queue: WorkQueue) {
    let isExclusive = word.now.isExclusive
    if isExclusive && !runBarrier(of: queue) { return }
    var left = DrainBatch.length
    while true {
      word.change(\.entered)
      guard drainInside(queue, &left, .token), runBarrier(of: queue) else { return }
      left -= 1
      if left <= 0 && queue.othersWait { return submitRest(of: queue) }
    }
  }

  /// Submits a visit by a spare thread, which runs deliveries; any thread may call this.
  @inline(never)
  private func submitVisit(of queue: WorkQueue) {
    // Only the holder may read it without the lock.
    let destination = WorkQueue.hierarchy.withLock { _ in queue.destination.value }
    let visit: @Sendable () -> Void = { self.visit(queue, asWorkOf: destination.target) }
    if let target = destination.target {
      target.add(.run(visit), for: DrainCause(isDelivery: true))
    } else if queue.pool === WorkerPool.shared && queue.pool.isFull(qos: destination.qosClass) {
      WorkerPool.spare.submit(qos: destination.qosClass, visit)
    }
  }

  /// Removes and runs deliveries beside the workers inside, unless a barrier was announced.
  private func visit(_ queue: WorkQueue, asWorkOf target: WorkQueue?) {
    guard tryEnterBesideOthers(queue) else { return }
    // While work runs inside, the target does not change. After a change the token goes to the new
    // one.
    var left = DrainBatch.length
    let isExclusive =
      queue.target === target
      ? drainInside(queue, &left, .deliveries) : word.change(\.left).answer
    if isExclusive { admitBarrier(queue) }
  }

  /// Removes and runs items, inside the queue, and leaves it.
  ///
  /// - Returns: Whether this worker has the token again, with an exclusive barrier.
  private func drainInside(_ queue: WorkQueue, _ left: inout Int, _ claim: Claim) -> Bool {
    QueueFrame.run(on: queue, .shared) {
      var claim = claim
      while true {
        switch take(claim, in: queue) {
        case .run(let work, let next, let cause):
          if let cause { queue.submitDrain(cause) }
          claim = next
          _ = work.perform(in: queue)
          left -= 1
          if left <= 0 && queue.othersWait { return word.change(\.left).answer }
        case .barrier(let isExclusive):
          return isExclusive
        case .nothing:
          return word.change(\.left).answer
        }
      }
    }
  }

  private func take(_ claim: Claim, in queue: WorkQueue) -> Step {
    due.withLock { due in
      while true {
        guard let item = takeFirst(claim, in: queue) else {
          if claim != .token || list.release() { return .nothing }
          if queue.isStopped && queue.parkDrain() { return .nothing }
          continue
        }
        if item.isBarrier {
          due = consume item.work
          word.change(\.barrierDue)
          return .barrier(isExclusive: word.change(\.left).answer)
        }
        guard let gate = item.gate else {
          guard claim == .token else { return .run(item.work, next: claim, cause: nil) }
          let next: Claim = item.isDelivery ? .deliveries : .items
          return .run(item.work, next: next, cause: list.release() ? nil : causeOfRest)
        }
        word.change(\.entered)
        gate.open()
      }
    }
  }

  private func takeFirst(_ claim: Claim, in queue: WorkQueue) -> QueueEntry? {
    // A waiting barrier is no longer in the list, but is older than the rest of the list.
    if claim != .token && word.now.barrierWaits {
      return nil
    }
    // The stop is checked after the oldest item was seen: items added after a stop have to wait.
    return list.takeFirst { item in
      switch claim {
      case .token: !queue.isStopped
      case .items: !item.isBarrier && !queue.isStopped
      case .deliveries: !item.isBarrier && item.isForSpareThreads && !queue.isStopped
      }
    }
  }

  /// Runs the exclusive barrier, or admits the thread that waits for it.
  ///
  /// - Returns: Whether this worker still has the token.
  private func runBarrier(of queue: WorkQueue) -> Bool {
    if queue.isStopped && queue.parkDrain() { return false }
    var work = due.withLock { $0.take() }
    switch QueueFrame.run(on: queue, .exclusive, { work.take()?.perform(in: queue) }) {
    case nil:
      preconditionFailure("An exclusive barrier is there to be run.")
    case .admits(let gate):
      gate.open()
      return false
    case .moved:
      word.change(\.barrierEnded)
      submitRest(of: queue)
      return false
    case .next:
      word.change(\.barrierEnded)
      return true
    }
  }
}
