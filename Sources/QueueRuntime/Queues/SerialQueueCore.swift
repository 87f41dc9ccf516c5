internal import IOChannelsLocks

/// The core of a serial queue: a list whose holder runs its work.
///
/// The holder is a worker that drains the queue, a thread inside `sync`, or, while the queue is
/// stopped, no thread. The thread that adds to the free list submits the drain. `HoldWord` has the
/// transitions.
final class SerialQueueCore: QueueCore {
  /// The memory that work needs in the queue.
  static let entryByteCount = ManyToOneList<QueuedWork>.nodeByteCount

  private let list = ManyToOneList<QueuedWork>()

  let isSerial = true
  var counts: (added: Int, taken: Int) { list.counts }
  var isHeld: Bool { list.isHeld }

  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool,
    in queue: WorkQueue,
    for cause: DrainCause,
    memory: WorkMemory?
  ) {
    // The holder of the queue may exist only in the parent of a fork. It may also end the last
    // reference to the queue, which a C program does not keep for the call, so that nothing is read
    // after the addition to a held list.
    queue.checkProcess()
    let isFirst =
      if let memory { list.add(work, in: memory.lent) } else { list.add(work) }
    if isFirst { queue.submitDrain(cause) }
  }

  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    !queue.isStopped && list.hold() ? .exclusive : .none
  }

  func enter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    if tryEnter(queue, isBarrier: isBarrier) == .none { waitForAdmission(in: queue) }
    return .exclusive
  }

  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool) {
    queue.checkThatWaitingEnds()
  }

  @inline(never)
  private func waitForAdmission(in queue: WorkQueue) {
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
    if !list.release() { admitNext(queue) }
  }

  /// Admits the next waiting thread, or submits a drain of the queue.
  @inline(never)
  private func admitNext(_ queue: WorkQueue) {
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
      var left = DrainBatch.length
      // The target changes by work of the queue, after which this drain ends.
      let isOnWorkers = queue.target == nil
      while true {
        // The first work of a batch is run in any case.
        let leaves = isOnWorkers && left < DrainBatch.length && queue.moreUrgentWorkWaits
        // The stop is checked after the oldest work was seen: work added after a stop has to wait.
        // A thread that waits is admitted in any case, which frees the worker as well.
        guard let work = list.takeFirst(if: { !queue.isStopped && (!leaves || $0.gate != nil) })
        else {
          if list.release() || queue.isStopped && queue.parkDrain() { return }
          if leaves { return submitRest(of: queue) }
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
        left = DrainBatch.length
      }
    }
  }
}
