/// The machinery of a serial queue: a list that is held by whoever runs its work.
///
/// The holder is a thread that drains the queue, to which it was submitted by the one who added to
/// the free list, or a thread inside `sync`, or nobody while the queue is stopped. `HoldWord` has
/// the transitions.
final class SerialLane: Lane {
  private let list = ManyToOneList<QueuedWork>()

  let isSerial = true
  var counts: (added: Int, taken: Int) { list.counts }
  var isHeld: Bool { list.isHeld }

  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool,
    in queue: WorkQueue,
    for cause: DrainCause
  ) {
    // Who holds the queue may have stayed behind in the parent of a fork.
    if list.add(work) { queue.submitDrain(cause) } else { queue.checkProcess() }
  }

  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> Bool { !queue.isStopped && list.hold() }

  func enter(_ queue: WorkQueue, isBarrier: Bool) {
    if !tryEnter(queue, isBarrier: isBarrier) { waitForTurn(in: queue) }
  }

  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool) {
    queue.checkThatWaitingEnds()
  }

  @inline(never)
  private func waitForTurn(in queue: WorkQueue) {
    queue.checkThatWaitingEnds()
    queue.checkProcess()
    let gate = SyncGate()
    if list.add(.admit(gate)) {
      // The list became free meanwhile, so this thread holds it and the gate is its oldest entry.
      if !queue.isStopped {
        _ = list.takeFirst()
        return
      }
      submitRest(of: queue)
    }
    gate.pass()
  }

  func exit(_ queue: WorkQueue, isBarrier: Bool) {
    if !list.release() { handOver(queue) }
  }

  /// Lets the next waiting thread in, or has the queue drained.
  @inline(never)
  private func handOver(_ queue: WorkQueue) {
    if let gate = list.takeFirst(if: { $0.gate != nil && !queue.isStopped })?.gate {
      gate.open()
    } else {
      submitRest(of: queue)
    }
  }

  func submitRest(of queue: WorkQueue) {
    queue.submitDrain(DrainCause(isDelivery: true))
  }

  func drain(_ queue: WorkQueue) {
    QueueFrame.run(on: queue, .exclusive) {
      var left = Turn.length
      while true {
        // Looked at after the oldest work was seen: what is added after a stop has to wait.
        guard let work = list.takeFirst(if: { _ in !queue.isStopped }) else {
          if list.release() || queue.isStopped && queue.parkDrain() { return }
          continue
        }
        switch (consume work).perform(in: queue) {
        case .next: break
        case .admits(let gate): return gate.open()
        case .moved: return submitRest(of: queue)
        }
        left -= 1
        if left > 0 { continue }
        if queue.othersWait { return submitRest(of: queue) }
        left = Turn.length
      }
    }
  }
}
