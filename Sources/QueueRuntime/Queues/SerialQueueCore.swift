internal import Synchronization
internal import IOChannelsLocks

/// The core of a serial queue: a list whose holder runs its work.
///
/// The holder is a worker that drains the queue, a thread inside `sync`, or, while the queue is
/// stopped, no thread. The thread that adds to the free list submits the drain. `HoldWord` has the
/// transitions.
///
/// A queue that was widened keeps this core, in front of a concurrent one. The holder passes the
/// entries of the list on, in their order. Once the list is free, work goes to the concurrent core
/// directly.
final class SerialQueueCore: QueueCore {
  /// The memory that work needs in the queue.
  static let entryByteCount = ManyToOneList<QueueEntry>.nodeByteCount

  private let list = ManyToOneList<QueueEntry>()

  /// Whether the queue was widened; the holder of the list changes it, once.
  private let isWide = Atomic<Bool>(false)
  private let wideCore = SetOnceReference<ConcurrentQueueCore>()

  /// The core of the queue once it was widened.
  private var wide: ConcurrentQueueCore? { isSerial ? nil : wideCore.load() }

  /// The core of a widened queue whose earlier entries were all passed on to it.
  private var directCore: ConcurrentQueueCore? {
    guard let wide, !list.isHeld else { return nil }
    return wide
  }

  var isSerial: Bool { !isWide.load(ordering: .acquiring) }
  var counts: (added: Int, taken: Int) { wide?.counts ?? list.counts }
  var isHeld: Bool { wide?.isHeld ?? list.isHeld }

  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool,
    in queue: WorkQueue,
    for cause: DrainCause,
    memory: WorkMemory?
  ) {
    if let core = directCore {
      return core.add(work, isBarrier: isBarrier, in: queue, for: cause, memory: memory)
    }
    // The holder of the queue may exist only in the parent of a fork. It may also end the last
    // reference to the queue, which a C program does not keep for the call, so that nothing is read
    // after the addition to a held list.
    queue.checkProcess()
    let entry = QueueEntry(work: work, isBarrier: isBarrier, isDelivery: cause.isDelivery)
    let isFirst =
      if let memory { list.add(entry, in: memory.lent) } else { list.add(entry) }
    if !isFirst { return }
    if isSerial { queue.submitDrain(cause) } else { passOn(in: queue) }
  }

  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    if let wide { return tryEnterWide(wide, queue, isBarrier: isBarrier) }
    guard !queue.isStopped, list.hold() else { return .none }
    // The queue may have been widened in the meantime.
    if let wide {
      passOn(in: queue)
      return wide.tryEnter(queue, isBarrier: isBarrier)
    }
    return .exclusive
  }

  func enter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation {
    let occupation = tryEnter(queue, isBarrier: isBarrier)
    if occupation != .none { return occupation }
    if let core = directCore { return core.enter(queue, isBarrier: isBarrier) }
    return waitForAdmission(in: queue, isBarrier: isBarrier)
  }

  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool) {
    if let wide {
      wide.checkThatCallerMayWait(for: queue, isBarrier: isBarrier)
    } else {
      queue.checkThatWaitingEnds()
    }
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
      if !isSerial {
        passOn(in: queue)
      } else if queue.isStopped {
        submitRest(of: queue)
      } else {
        _ = list.takeFirst()
        return .exclusive
      }
    }
    gate.pass()
    // Only a holder of the list widens the queue, so the thread came in the way that the queue has
    // now.
    return isSerial || isBarrier ? .exclusive : .shared
  }

  func exit(_ queue: WorkQueue, from occupation: QueueFrame.Occupation) {
    if let wide { return wide.exit(queue, from: occupation) }
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
    if let wide { return wide.submitRest(of: queue) }
    queue.submitDrain(DrainCause(isDelivery: true))
  }

  func drain(_ queue: WorkQueue) {
    if let wide { return wide.drain(queue) }
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
        case .widens: return becomeConcurrent(queue)
        }
        left -= 1
        if left > 0 { continue }
        if queue.othersWait { return submitRest(of: queue) }
        left = DrainBatch.length
      }
    }
  }
}

// MARK: - Widening

extension SerialQueueCore {
  func widen(_ queue: WorkQueue) {
    if !isSerial { return }
    add(.widen, isBarrier: true, in: queue, for: DrainCause(isDelivery: true), memory: nil)
  }

  /// Makes the queue concurrent; only the holder of the list calls this.
  private func becomeConcurrent(_ queue: WorkQueue) {
    _ = wideCore.storeIfNil(ConcurrentQueueCore())
    isWide.store(true, ordering: .releasing)
    passOn(in: queue)
  }

  /// Passes the entries of the list on to the concurrent core, and releases the list; only for its
  /// holder.
  @inline(never)
  private func passOn(in queue: WorkQueue) {
    guard let wide else { return }
    // The last entry may end the last reference to the queue, before the list is released.
    queue.keepMeanwhile {
      repeat {
        while let entry = list.takeFirst() {
          // Another call for the same change.
          if entry.work.isWidening { continue }
          if let gate = entry.gate {
            wide.add(gate, isBarrier: entry.isBarrier, in: queue)
            continue
          }
          wide.add(
            entry.work,
            isBarrier: entry.isBarrier,
            in: queue,
            for: DrainCause(isDelivery: entry.isDelivery),
            memory: nil
          )
        }
      } while !list.release()
    }
  }

  /// Enters the concurrent core, behind the entries of the list.
  @inline(never)
  private func tryEnterWide(
    _ wide: ConcurrentQueueCore,
    _ queue: WorkQueue,
    isBarrier: Bool
  ) -> QueueFrame.Occupation {
    if list.isHeld {
      // A thread inside must not wait for entries that another thread passes on.
      let isInside = !isBarrier && QueueFrame.occupation(of: queue) != .none
      if !isInside { return .none }
    }
    return wide.tryEnter(queue, isBarrier: isBarrier)
  }
}
