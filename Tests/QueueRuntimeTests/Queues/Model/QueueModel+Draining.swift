@testable import IOChannelsLocks
@testable import QueueRuntime

/// How workers take and run items.
extension QueueModel {
  mutating func afterItem(_ thread: inout ModelledThread) {
    let call = queue.items[thread.item].call
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
      thread.place = queue.concurrent.isExclusive ? .barrierLook : .enter
    case .enter:
      queue.enter()
      thread.place = .lock
    case .lock:
      guard queue.locker == nil else { return false }
      queue.locker = thread.number
      thread.place = .token
    case .token:
      let waits = !thread.hasToken && queue.concurrent.barrierWaits
      thread.place = waits && mutant != .passWaitingBarrier ? .none : .refill
    case .refill:
      if mutant == .stopBeforeItem && !thread.lookedEarly {
        thread.lookedEarly = true
        thread.sawStop = queue.suspension.isStopped
        break
      }
      thread.lookedEarly = false
      // A list that is free or has nothing new is left alone.
      if queue.oldest.isEmpty && queue.hold.newest != 0 { thread.taken = queue.takeNewest() }
      thread.place = .store
    case .store:
      if queue.oldest.isEmpty { queue.oldest = thread.taken }
      thread.taken = []
      thread.place = queue.oldest.isEmpty ? .none : .look
    case .look:
      if mutant != .stopBeforeItem { thread.sawStop = queue.suspension.isStopped }
      thread.place = thread.sawStop ? .none : .take
    case .take:
      take(&thread)
    case .none where isConcurrent && !thread.hasToken:
      queue.locker = nil
      thread.place = .leave
    case .none:
      thread.release(then: isConcurrent ? .leave : .idle, else: .noneLook)
    case .noneLook:
      let mayPark = queue.suspension.isStopped
      thread.place = mayPark ? .nonePark : isConcurrent ? .token : .refill
    case .nonePark:
      let isParked = park()
      if isParked && isConcurrent { queue.locker = nil }
      let parked: ModelledThread.Place = isConcurrent ? .leave : .idle
      thread.place = isParked ? parked : isConcurrent ? .token : .refill
    default:
      return barrierStep(&thread)
    }
    return true
  }

  private mutating func take(_ thread: inout ModelledThread) {
    let first = queue.oldest[0]
    let call = queue.items[first].call
    if !isConcurrent {
      queue.oldest.removeFirst()
      thread.item = first
      queue.items[first].isAdmitted = call.waits
      thread.place = call.waits ? .idle : .start
    } else if call.isBarrier && !thread.hasToken {
      thread.place = .none
    } else if call.isBarrier {
      queue.oldest.removeFirst()
      queue.due = first
      queue.concurrent = queue.concurrent.barrierDue
      thread.place = mutant == .barrierAtOnce ? .barrierTake : .dueLeave
    } else if call.waits {
      queue.oldest.removeFirst()
      queue.enter()
      queue.items[first].isAdmitted = true
      thread.place = .token
    } else {
      queue.oldest.removeFirst()
      thread.item = first
      if thread.hasToken {
        thread.hasToken = false
        thread.after = .start
        thread.release(then: .start)
      } else {
        queue.locker = nil
        thread.place = .start
      }
    }
  }

  private mutating func barrierStep(_ thread: inout ModelledThread) -> Bool {
    switch thread.place {
    case .dueLeave, .leave:
      if thread.place == .dueLeave { queue.locker = nil }
      let makesExclusive = queue.leave()
      thread.hasToken = makesExclusive
      thread.place = makesExclusive && mutant != .leaveBarrier ? .barrierLook : .idle
    case .barrierLook:
      thread.place = queue.suspension.isStopped ? .barrierPark : .barrierTake
    case .barrierPark:
      thread.place = park() ? .idle : .barrierTake
    case .barrierTake:
      if mutant == .barrierAtOnce { queue.locker = nil }
      guard queue.locker == nil else { return false }
      guard let due = queue.due else {
        queue.fault = "An exclusive barrier is not there."
        return true
      }
      queue.due = nil
      thread.item = due
      queue.items[due].isAdmitted = queue.items[due].call.waits
      thread.place = queue.items[due].call.waits ? .idle : .start
    case .barrierEnd:
      queue.endBarrier()
      thread.hasToken = true
      thread.place = .enter
    default:
      queue.fault = "No step of a worker."
    }
    return true
  }
}
