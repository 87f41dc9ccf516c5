/// The machinery of a concurrent queue.
///
/// One token goes with the hold on the list. Whoever has it takes an item and, before running it,
/// gives the token on: back to the list if that is empty now, else to the queue's target, where the
/// next worker finds it. So another item can start as soon as a worker is free, however long this
/// one takes, and the queue waits in its target at most once. A worker without the token may go on
/// taking items, but leaves barriers, and letting go of the list, to the token's owner. A barrier
/// keeps the token while it waits and runs; while the queue is stopped the token is parked.
/// `ConcurrentWord` has the transitions.
final class ConcurrentLane: Lane {
  private struct Item: ~Copyable, Sendable {
    var work: QueuedWork
    var isBarrier = false
  }

  private enum Step: ~Copyable {
    /// Run an item; whether the token is to be submitted first.
    case run(QueuedWork, submits: Bool)
    /// A barrier's turn came and this worker went out for it; whether it is exclusive now.
    case barrier(isExclusive: Bool)
    /// Nothing can be taken.
    case nothing
  }

  private let list = ManyToOneList<Item>()
  private let word = AtomicState(ConcurrentWord())
  /// The barrier whose turn has come; the lock also lets one worker at a time take from the list.
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
    for cause: DrainCause
  ) {
    if isBarrier { word.change(\.announced) }
    let isFirst = list.add(Item(work: work, isBarrier: isBarrier))
    // Who holds the queue may have stayed behind in the parent of a fork.
    if isFirst { queue.submitDrain(cause) } else { queue.checkProcess() }
  }
}

// MARK: - Threads in sync

extension ConcurrentLane {
  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> Bool {
    isBarrier ? tryEnterAlone(queue) : tryEnterBesideOthers(queue)
  }

  func enter(_ queue: WorkQueue, isBarrier: Bool) {
    if tryEnter(queue, isBarrier: isBarrier) { return }
    if isBarrier { waitUntilAlone(in: queue) } else { waitForTurn(in: queue) }
  }

  func exit(_ queue: WorkQueue, isBarrier: Bool) {
    if !isBarrier {
      if word.change(\.left).answer { letBarrierIn(queue) }
    } else {
      word.change(\.barrierEnded)
      if !list.release() { handOver(queue) }
    }
  }

  /// Gives the token on: lets waiting threads in, up to the oldest work that takes a worker.
  @inline(never)
  private func handOver(_ queue: WorkQueue) {
    let isDone = due.withLock { due in
      while let item = list.takeFirst(if: { $0.work.gate != nil && !queue.isStopped }) {
        guard let gate = item.work.gate else { break }
        if item.isBarrier {
          if word.change(\.barrierDue).isExclusive { gate.open() } else { due = .admit(gate) }
          return true
        }
        word.change(\.entered)
        gate.open()
      }
      return list.release()
    }
    if !isDone { queue.submitDrain() }
  }

  /// Goes inside unless a barrier was announced or the queue is stopped.
  private func tryEnterBesideOthers(_ queue: WorkQueue) -> Bool {
    !queue.isStopped && word.changeIfPossible(\.passed)
  }

  /// Stops the program when a thread that cannot go inside at once would wait for itself.
  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool) {
    // Behind a barrier even a reader that is inside waits for itself.
    let hasBarriers = word.now.barriers > 0
    queue.checkThatWaitingEnds(besides: isBarrier || hasBarriers ? .none : .shared)
  }

  @inline(never)
  private func waitForTurn(in queue: WorkQueue) {
    checkThatCallerMayWait(for: queue, isBarrier: false)
    queue.checkProcess()
    let gate = SyncGate()
    if list.add(Item(work: .admit(gate))) { handOver(queue) }
    gate.pass()
  }

  /// Sees to the barrier that waited for this thread, the last one inside.
  @inline(never)
  private func letBarrierIn(_ queue: WorkQueue) {
    let gate = queue.isStopped ? nil : takeDueGate()
    if let gate { gate.open() } else { queue.submitDrain() }
  }

  /// Gets the queue for this thread alone if nobody is inside and nothing waits.
  private func tryEnterAlone(_ queue: WorkQueue) -> Bool {
    guard !queue.isStopped, list.hold() else { return false }
    let isAlone = word.changeIfPossible { $0.inside == 0 ? $0.announced.barrierDue : nil }
    if isAlone { return true }
    // Workers inside may take from the list just now, so letting go needs the lock.
    if !due.withLock({ _ in list.release() }) { queue.submitDrain() }
    return false
  }

  @inline(never)
  private func waitUntilAlone(in queue: WorkQueue) {
    checkThatCallerMayWait(for: queue, isBarrier: true)
    queue.checkProcess()
    let gate = SyncGate()
    word.change(\.announced)
    if !queue.isStopped && list.hold() {
      // With the token and nothing in the list, the barrier's turn is now.
      if makeDue(gate) { return }
    } else if list.add(Item(work: .admit(gate), isBarrier: true)) {
      handOver(queue)
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

  /// Sees to it that a thread is exclusive now or made so by the last one inside.
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

extension ConcurrentLane {
  /// Comes with the token: for a barrier that is exclusive, or for the list.
  func drain(_ queue: WorkQueue) {
    let isExclusive = word.now.isExclusive
    if isExclusive && !runBarrier(of: queue) { return }
    var left = Turn.length
    while drainInside(queue, &left), runBarrier(of: queue) {
      left -= 1
      if left <= 0 && queue.othersWait { return queue.submitDrain() }
    }
  }

  /// Comes inside with the token, takes and runs items, and goes out.
  ///
  /// - Returns: Whether this worker has the token again, with an exclusive barrier.
  private func drainInside(_ queue: WorkQueue, _ left: inout Int) -> Bool {
    word.change(\.entered)
    return QueueFrame.run(on: queue, .shared) {
      var hasToken = true
      while true {
        switch take(hasToken: hasToken, in: queue) {
        case .run(let work, let submits):
          if submits { queue.submitDrain() }
          hasToken = false
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

  private func take(hasToken: Bool, in queue: WorkQueue) -> Step {
    due.withLock { due in
      while true {
        guard let item = takeFirst(hasToken: hasToken, in: queue) else {
          if !hasToken || list.release() { return .nothing }
          if queue.isStopped && queue.parkDrain() { return .nothing }
          continue
        }
        if item.isBarrier {
          due = consume item.work
          word.change(\.barrierDue)
          return .barrier(isExclusive: word.change(\.left).answer)
        }
        guard let gate = item.work.gate else {
          return .run(item.work, submits: hasToken && !list.release())
        }
        word.change(\.entered)
        gate.open()
      }
    }
  }

  private func takeFirst(hasToken: Bool, in queue: WorkQueue) -> Item? {
    // A waiting barrier has gone from the list, but is older than what is left there.
    if !hasToken && word.now.barrierWaits {
      return nil
    }
    // Looked at after the oldest item was seen: what is added after a stop has to wait.
    return list.takeFirst { (hasToken || !$0.isBarrier) && !queue.isStopped }
  }

  /// Runs the exclusive barrier, or lets the thread in that waits to.
  ///
  /// - Returns: Whether the token is still here.
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
      queue.submitDrain()
      return false
    case .next:
      word.change(\.barrierEnded)
      return true
    }
  }
}
