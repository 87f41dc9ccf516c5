internal import IOChannelsLocks

/// The core of a serial queue: a list whose holder runs its work.
///
/// The holder is a worker that drains the queue, a thread inside `sync`, or, while the queue is
/// stopped, no thread. The thread that adds to the free list submits the drain. `HoldWord` has the
/// transitions.
final class SerialQueueCore: QueueCore {
  /// The memory that work needs in the queue.
  static let entryByteCount = ManyToOneList<QueueEntry>.nodeByteCount

  private let list = ManyToOneList<QueueEntry>()

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
    let entry = QueueEntry(work: work, isBarrier: isBarrier, isDelivery: cause.isDelivery)
    let isFirst =
      if let memory { list.add(entry, in: memory.lent) } else { list.add(entry) }
    if isFirst { queue.submitDrain(cause) }
  }

  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    !queue.isStopped && list.hold() ? .exclusive : .none
  }

  func enter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    let occupation = tryEnter(queue, isBarrier: isBarrier)
    return occupation == .none ? waitForAdmission(in: queue, isBarrier: isBarrier) : occupation
  }

  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool) {
    queue.checkThatWaitingEnds()
  }

  @inline(never)
  private func waitForAdmission(
    in queue: WorkQueue,
    isBarrier: Bool
  ) -> QueueFrame.Occupation {
    checkThatCallerMayWait(for: queue, isBarrier: isBarrier)
    queue.checkProcess()
    let gate = SyncGate()
    if list.add(QueueEntry(work: .admit(gate), isBarrier: isBarrier)) {
      // The list became free meanwhile, so this thread holds it and the gate is its oldest entry.
      guard queue.isStopped else {
        _ = list.takeFirst()
        return .exclusive
      }
      submitRest(of: queue)
    }
    gate.pass()
    return .exclusive
  }

  func exit(_ queue: WorkQueue, from occupation: QueueFrame.Occupation) {
    if !list.release() { admitNext(queue) }
  }

  /// Admits the next waiting thread, or submits a drain of the queue.
  @inline(never)
  private func admitNext(_ queue: WorkQueue) {
    let waiting = list.takeFirst(if: { $0.gate != nil && !queue.isStopped })
    if let gate = (consume waiting)?.gate {
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
      while true {
        // The stop is checked after the oldest work was seen: work added after a stop has to wait.
        guard let entry = list.takeFirst(if: { _ in !queue.isStopped }) else {
          if list.release() || queue.isStopped && queue.parkDrain() { return }
          continue
        }
        switch entry.work.perform(in: queue) {
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
