@testable import IOChannelsLocks
@testable import QueueRuntime

/// How the owner of a concurrent queue's token, on any thread, lets waiting threads in.
extension LaneModel {
  mutating func giveOnStep(_ thread: inout ModelledThread) -> Bool {
    switch thread.place {
    case .giveOn:
      if mutant != .giveOnWithoutLock {
        guard lane.locker == nil else { return false }
        lane.locker = thread.number
      }
      thread.place = .giveRefill
    case .giveRefill:
      if lane.oldest.isEmpty && lane.hold.newest != 0 { thread.taken = lane.takeNewest() }
      thread.place = .giveStore
    case .giveStore:
      if lane.oldest.isEmpty { lane.oldest = thread.taken }
      thread.taken = []
      let waits = lane.oldest.first.map { lane.items[$0].call.waits } ?? false
      thread.place = waits ? .giveLook : .giveNone
    case .giveLook:
      let isStopped = lane.suspension.isStopped && mutant != .giveOnThoughStopped
      thread.place = isStopped ? .giveNone : .giveTake
    case .giveTake:
      giveTake(&thread)
    case .giveNone:
      thread.release(
        then: thread.after,
        else: mutant == .giveOnWithoutDrain ? thread.after : .submitLook
      )
    default:
      lane.fault = "No step of one who lets others in."
    }
    return true
  }

  private mutating func giveTake(_ thread: inout ModelledThread) {
    // Without the lock somebody else may have taken it.
    guard let first = lane.oldest.first else {
      lane.fault = "What was seen in the list has gone."
      return
    }
    lane.oldest.removeFirst()
    guard lane.items[first].call.isBarrier else {
      lane.enter()
      lane.items[first].isAdmitted = true
      thread.place = .giveRefill
      return
    }
    lane.concurrent = lane.concurrent.barrierDue
    if lane.concurrent.isExclusive { lane.items[first].isAdmitted = true } else { lane.due = first }
    lane.locker = nil
    thread.place = thread.after
  }
}
