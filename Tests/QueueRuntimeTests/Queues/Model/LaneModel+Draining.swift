@testable import IOChannelsLocks
@testable import QueueRuntime

/// How workers take and run items.
extension LaneModel {
  mutating func afterItem(_ thread: inout ModelledThread) {
    let call = lane.items[thread.item].call
    if call.waits {
      let leaving: ModelledThread.Place = call.isBarrier ? .exitAlone : .exit
      thread.place = isConcurrent ? leaving : .letGo
    } else if isConcurrent {
      thread.place = call.isBarrier ? .barrierEnd : .lock
    } else {
      thread.place = .refill
    }
  }

  mutating func drainStep(_ thread: inout ModelledThread) -> Bool {
    switch thread.place {
    case .drain:
      thread.hasToken = true
      thread.place = lane.concurrent.isExclusive ? .barrierLook : .enter
    case .enter:
      lane.enter()
      thread.place = .lock
    case .lock:
      guard lane.locker == nil else { return false }
      lane.locker = thread.number
      thread.place = .token
    case .token:
      let waits = !thread.hasToken && lane.concurrent.barrierWaits
      thread.place = waits && mutant != .passWaitingBarrier ? .none : .refill
    case .refill:
      if mutant == .stopBeforeItem && !thread.lookedEarly {
        thread.lookedEarly = true
        thread.sawStop = lane.suspension.isStopped
        break
      }
      thread.lookedEarly = false
      // A list that is free or has nothing new is left alone.
      if lane.oldest.isEmpty && lane.hold.newest != 0 { thread.taken = lane.takeNewest() }
      thread.place = .store
    case .store:
      if lane.oldest.isEmpty { lane.oldest = thread.taken }
      thread.taken = []
      thread.place = lane.oldest.isEmpty ? .none : .look
    case .look:
      if mutant != .stopBeforeItem { thread.sawStop = lane.suspension.isStopped }
      thread.place = thread.sawStop ? .none : .take
    case .take:
      take(&thread)
    case .none where isConcurrent && !thread.hasToken:
      lane.locker = nil
      thread.place = .leave
    case .none:
      thread.release(then: isConcurrent ? .leave : .idle, else: .noneLook)
    case .noneLook:
      let mayPark = lane.suspension.isStopped
      thread.place = mayPark ? .nonePark : isConcurrent ? .token : .refill
    case .nonePark:
      let isParked = park()
      if isParked && isConcurrent { lane.locker = nil }
      let parked: ModelledThread.Place = isConcurrent ? .leave : .idle
      thread.place = isParked ? parked : isConcurrent ? .token : .refill
    default:
      return barrierStep(&thread)
    }
    return true
  }

  private mutating func take(_ thread: inout ModelledThread) {
    let first = lane.oldest[0]
    let call = lane.items[first].call
    if !isConcurrent {
      lane.oldest.removeFirst()
      thread.item = first
      lane.items[first].isAdmitted = call.waits
      thread.place = call.waits ? .idle : .start
    } else if call.isBarrier && !thread.hasToken {
      thread.place = .none
    } else if call.isBarrier {
      lane.oldest.removeFirst()
      lane.due = first
      lane.concurrent = lane.concurrent.barrierDue
      thread.place = mutant == .barrierAtOnce ? .barrierTake : .dueLeave
    } else if call.waits {
      lane.oldest.removeFirst()
      lane.enter()
      lane.items[first].isAdmitted = true
      thread.place = .token
    } else {
      lane.oldest.removeFirst()
      thread.item = first
      if thread.hasToken {
        thread.hasToken = false
        thread.after = .start
        thread.release(then: .start)
      } else {
        lane.locker = nil
        thread.place = .start
      }
    }
  }

  private mutating func barrierStep(_ thread: inout ModelledThread) -> Bool {
    switch thread.place {
    case .dueLeave, .leave:
      if thread.place == .dueLeave { lane.locker = nil }
      let makesExclusive = lane.leave()
      thread.hasToken = makesExclusive
      thread.place = makesExclusive && mutant != .leaveBarrier ? .barrierLook : .idle
    case .barrierLook:
      thread.place = lane.suspension.isStopped ? .barrierPark : .barrierTake
    case .barrierPark:
      thread.place = park() ? .idle : .barrierTake
    case .barrierTake:
      if mutant == .barrierAtOnce { lane.locker = nil }
      guard lane.locker == nil else { return false }
      guard let due = lane.due else {
        lane.fault = "An exclusive barrier is not there."
        return true
      }
      lane.due = nil
      thread.item = due
      lane.items[due].isAdmitted = lane.items[due].call.waits
      thread.place = lane.items[due].call.waits ? .idle : .start
    case .barrierEnd:
      lane.endBarrier()
      thread.hasToken = true
      thread.place = .enter
    default:
      lane.fault = "No step of a worker."
    }
    return true
  }
}
