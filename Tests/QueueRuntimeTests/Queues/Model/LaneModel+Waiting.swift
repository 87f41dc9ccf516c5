@testable import IOChannelsLocks
@testable import QueueRuntime

/// How calls put items into the queue, and how threads in `sync` come in and go out.
extension LaneModel {
  mutating func waitStep(_ thread: inout ModelledThread) -> Bool {
    let item = thread.item
    let call = lane.items[item].call
    switch thread.place {
    case .tryLook:
      thread.place = lane.suspension.isStopped ? queueing(call) : trying(call)
    case .tryHold:
      if let next = lane.hold.holding {
        lane.hold = next
        thread.place = isConcurrent ? .tryChange : .start
      } else {
        thread.place = queueing(call)
      }
    case .tryChange:
      tryChange(&thread)
    case .tryRelease:
      if mutant != .releaseWithoutLock {
        guard lane.locker == nil else { return false }
        lane.locker = thread.number
      }
      thread.after = .announce
      thread.release(then: .announce)
    case .announce:
      if mutant != .announceLate { lane.concurrent = lane.concurrent.announced }
      thread.place = .queueLook
    case .queueUp:
      queueUp(&thread)
    case .queueLook where isConcurrent:
      thread.place = lane.suspension.isStopped ? .queueUp : .queueHold
    case .queueLook:
      // The list became free meanwhile, so the item is the oldest unless the queue is stopped.
      if lane.suspension.isStopped {
        thread.submit(then: .waiting)
      } else {
        thread.place = .ownTake
      }
    case .ownTake:
      lane.oldest = lane.takeNewest()
      lane.oldest.removeFirst()
      thread.place = .start
    case .queueHold:
      if let next = lane.hold.holding {
        lane.hold = next
        thread.place = .makeDue
      } else {
        thread.place = .queueUp
      }
    case .makeDue:
      guard lane.locker == nil else { return false }
      lane.locker = thread.number
      lane.due = item
      thread.place = .changeDue
    case .changeDue:
      lane.concurrent = lane.concurrent.barrierDue
      thread.place = .waiting
      if lane.concurrent.isExclusive {
        lane.due = nil
        thread.place = .start
      }
      lane.locker = nil
    default:
      lane.fault = "No step of a caller."
    }
    return true
  }

  private mutating func queueUp(_ thread: inout ModelledThread) {
    let call = lane.items[thread.item].call
    let isFirst = lane.add(thread.item)
    if mutant == .announceLate && isConcurrent && call.isBarrier {
      lane.concurrent = lane.concurrent.announced
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
    let call = lane.items[thread.item].call
    if !call.isBarrier {
      if let next = lane.concurrent.passed {
        lane.concurrent = next
        thread.place = .start
      } else {
        thread.place = .queueUp
      }
    } else if lane.concurrent.inside == 0 {
      lane.concurrent = lane.concurrent.announced.barrierDue
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
      if lane.oldest.isEmpty { thread.taken = lane.takeNewest() }
      thread.place = .letGoStore
    case .letGoStore:
      if lane.oldest.isEmpty { lane.oldest = thread.taken }
      thread.taken = []
      thread.place = .letGoTake
    case .letGoTake:
      guard let first = lane.oldest.first, lane.items[first].call.waits,
        !lane.suspension.isStopped
      else {
        thread.submit(then: .call)
        break
      }
      lane.oldest.removeFirst()
      lane.items[first].isAdmitted = true
      thread.place = .call
    case .exit:
      let makesExclusive = lane.leave()
      thread.place = makesExclusive && mutant != .leaveBarrier ? .exitLook : .call
    case .exitLook:
      if lane.suspension.isStopped { thread.submit(then: .call) } else { thread.place = .exitTake }
    case .exitTake:
      guard lane.locker == nil else { return false }
      if let due = lane.due, lane.items[due].call.waits {
        lane.due = nil
        lane.items[due].isAdmitted = true
        thread.place = .call
      } else {
        thread.submit(then: .call)
      }
    case .exitAlone:
      lane.endBarrier()
      thread.release(then: .call, else: .giveOn)
      thread.after = .call
    default:
      lane.fault = "No step of one who leaves."
    }
    return true
  }
}
