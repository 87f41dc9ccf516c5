@testable import IOChannelsLocks
@testable import QueueRuntime

/// How calls put items into the queue, and how threads in `sync` come in and go out.
extension QueueModel {
  mutating func waitStep(_ thread: inout ModelledThread) -> Bool {
    let item = thread.item
    let call = queue.items[item].call
    switch thread.place {
    case .tryLook:
      thread.place = queue.suspension.isStopped ? queueing(call) : trying(call)
    case .tryHold:
      if let next = queue.hold.holding {
        queue.hold = next
        thread.place = isConcurrent ? .tryChange : .start
      } else {
        thread.place = queueing(call)
      }
    case .tryChange:
      tryChange(&thread)
    case .tryRelease:
      if mutant != .releaseWithoutLock {
        guard queue.locker == nil else { return false }
        queue.locker = thread.number
      }
      thread.after = .announce
      thread.release(then: .announce)
    case .announce:
      if mutant != .announceLate { queue.concurrent = queue.concurrent.announced }
      thread.place = .queueLook
    case .queueUp:
      queueUp(&thread)
    case .queueLook where isConcurrent:
      thread.place = queue.suspension.isStopped ? .queueUp : .queueHold
    case .queueLook:
      // The list became free meanwhile, so the item is the oldest unless the queue is stopped.
      if queue.suspension.isStopped {
        thread.submit(then: .waiting)
      } else {
        thread.place = .ownTake
      }
    case .ownTake:
      queue.oldest = queue.takeNewest()
      queue.oldest.removeFirst()
      thread.place = .start
    case .queueHold:
      if let next = queue.hold.holding {
        queue.hold = next
        thread.place = .makeDue
      } else {
        thread.place = .queueUp
      }
    case .makeDue:
      guard queue.locker == nil else { return false }
      queue.locker = thread.number
      queue.due = item
      thread.place = .changeDue
    case .changeDue:
      queue.concurrent = queue.concurrent.barrierDue
      thread.place = .waiting
      if queue.concurrent.isExclusive {
        queue.due = nil
        thread.place = .start
      }
      queue.locker = nil
    default:
      queue.fault = "No step of a caller."
    }
    return true
  }

  private mutating func queueUp(_ thread: inout ModelledThread) {
    let call = queue.items[thread.item].call
    let isFirst = queue.add(thread.item)
    if mutant == .announceLate && isConcurrent && call.isBarrier {
      queue.concurrent = queue.concurrent.announced
    }
    thread.place = call.waits ? .waiting : .call
    if !isFirst || mutant == .addWithoutDrain { return }
    if !call.waits {
      thread.submit(then: thread.place)
    } else if isConcurrent {
      thread.giveOn(then: thread.place)
    } else {
      thread.place = .queueLook
    }
  }

  private func trying(_ call: ModelledCall) -> ModelledThread.Place {
    isConcurrent && !call.isBarrier ? .tryChange : .tryHold
  }

  private func queueing(_ call: ModelledCall) -> ModelledThread.Place {
    isConcurrent && call.isBarrier ? .announce : .queueUp
  }

  /// The change of the word that lets a thread in at once.
  private mutating func tryChange(_ thread: inout ModelledThread) {
    let call = queue.items[thread.item].call
    if !call.isBarrier {
      if let next = queue.concurrent.passed {
        queue.concurrent = next
        thread.place = .start
      } else {
        thread.place = .queueUp
      }
    } else if queue.concurrent.inside == 0 {
      queue.concurrent = queue.concurrent.announced.barrierDue
      thread.place = .start
    } else {
      thread.place = .tryRelease
    }
  }

  mutating func leaveStep(_ thread: inout ModelledThread) -> Bool {
    switch thread.place {
    case .letGo:
      thread.release(then: .call, else: .letGoRefill)
    case .letGoRefill:
      if queue.oldest.isEmpty { thread.taken = queue.takeNewest() }
      thread.place = .letGoStore
    case .letGoStore:
      if queue.oldest.isEmpty { queue.oldest = thread.taken }
      thread.taken = []
      thread.place = .letGoTake
    case .letGoTake:
      guard let first = queue.oldest.first, queue.items[first].call.waits,
        !queue.suspension.isStopped
      else {
        thread.submit(then: .call)
        break
      }
      queue.oldest.removeFirst()
      queue.items[first].isAdmitted = true
      thread.place = .call
    case .exit:
      let makesExclusive = queue.leave()
      thread.place = makesExclusive && mutant != .leaveBarrier ? .exitLook : .call
    case .exitLook:
      if queue.suspension.isStopped { thread.submit(then: .call) } else { thread.place = .exitTake }
    case .exitTake:
      guard queue.locker == nil else { return false }
      if let due = queue.due, queue.items[due].call.waits {
        queue.due = nil
        queue.items[due].isAdmitted = true
        thread.place = .call
      } else {
        thread.submit(then: .call)
      }
    case .exitAlone:
      queue.endBarrier()
      thread.release(then: .call, else: .giveOn)
      thread.after = .call
    default:
      queue.fault = "No step of one who leaves."
    }
    return true
  }
}
