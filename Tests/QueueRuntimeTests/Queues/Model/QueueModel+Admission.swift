@testable import IOChannelsLocks
@testable import QueueRuntime

/// How the owner of a concurrent queue's token, on any thread, lets waiting threads in.
extension QueueModel {
  mutating func giveOnStep(_ thread: inout ModelledThread) -> Bool {
    switch thread.place {
    case .giveOn:
      if mutant != .giveOnWithoutLock {
        guard queue.locker == nil else { return false }
        queue.locker = thread.number
      }
      thread.place = .giveRefill
    case .giveRefill:
      if queue.oldest.isEmpty && queue.hold.newest != 0 { thread.taken = queue.takeNewest() }
      thread.place = .giveStore
    case .giveStore:
      if queue.oldest.isEmpty { queue.oldest = thread.taken }
      thread.taken = []
      let waits = queue.oldest.first.map { queue.items[$0].call.waits } ?? false
      thread.place = waits ? .giveLook : .giveNone
    case .giveLook:
      let isStopped = queue.suspension.isStopped && mutant != .giveOnThoughStopped
      thread.place = isStopped ? .giveNone : .giveTake
    case .giveTake:
      giveTake(&thread)
    case .giveNone:
      thread.release(
        then: thread.after,
        else: mutant == .giveOnWithoutDrain ? thread.after : .submitLook
      )
    default:
      queue.fault = "No step of one who lets others in."
    }
    return true
  }

  private mutating func giveTake(_ thread: inout ModelledThread) {
    // Without the lock somebody else may have taken it.
    guard let first = queue.oldest.first else {
      queue.fault = "What was seen in the list has gone."
      return
    }
    queue.oldest.removeFirst()
    guard queue.items[first].call.isBarrier else {
      queue.enter()
      queue.items[first].isAdmitted = true
      thread.place = .giveRefill
      return
    }
    queue.concurrent = queue.concurrent.barrierDue
    if queue.concurrent.isExclusive {
      queue.items[first].isAdmitted = true
    } else {
      queue.due = first
    }
    queue.locker = nil
    thread.place = thread.after
  }
}
