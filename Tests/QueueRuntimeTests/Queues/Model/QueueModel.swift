@testable import IOChannelsLocks
@testable import QueueRuntime

/// The threads of a program and of its pool on one queue, as `SerialQueueCore` or
/// `ConcurrentQueueCore` has them act.
struct QueueModel: SteppedModel {
  var queue = ModelledQueue()
  var threads: [ModelledThread] = []
  let isConcurrent: Bool
  let mutant: Mutant?

  /// Makes a model in which each program has a thread, beside so many workers.
  init(_ programs: [[ModelledCall]], workers: Int, isConcurrent: Bool, mutant: Mutant? = nil) {
    self.isConcurrent = isConcurrent
    self.mutant = mutant
    for program in programs {
      let first = queue.items.count
      queue.items += program.map { ModelledQueue.Item(call: $0, first: first) }
      threads.append(
        ModelledThread(
          number: threads.count,
          place: .call,
          calls: Array(first..<queue.items.count)
        )
      )
    }
    for _ in 0..<workers {
      threads.append(ModelledThread(number: threads.count, place: .idle, calls: []))
    }
  }

  var threadCount: Int { threads.count }
  var fault: String? { queue.fault }

  var faultAtEnd: String? {
    for (number, item) in queue.items.enumerated() where item.call.isWork && !item.hasEnded {
      return "Item \(number), \(item.call), never ends."
    }
    if queue.hold.isHeld || queue.suspension.isParked { return "Somebody has the queue for ever." }
    if queue.concurrent != ConcurrentWord() { return "The word tells of somebody who has gone." }
    return nil
  }

  mutating func step(_ number: Int) -> Bool {
    // Taken out meanwhile, so that the arrays are changed in place.
    var thread = threads[number]
    let moved = step(&thread)
    threads[number] = thread
    return moved
  }

  private mutating func step(_ thread: inout ModelledThread) -> Bool {
    switch thread.place {
    case .idle:
      guard queue.jobs > 0 else { return false }
      queue.jobs -= 1
      thread.place = isConcurrent ? .drain : .refill
    case .call:
      guard !thread.calls.isEmpty else { return false }
      thread.item = thread.calls.removeFirst()
      call(&thread)
    case .waiting:
      guard queue.items[thread.item].isAdmitted else { return false }
      thread.place = .start
    case .start:
      queue.start(thread.item, isConcurrent: isConcurrent)
      thread.place = .end
    case .end:
      queue.end(thread.item)
      afterItem(&thread)
    case .submitLook:
      thread.place = queue.suspension.isStopped ? .submitPark : .submit
    case .submitPark:
      thread.place = park() ? thread.after : .submit
    case .submit:
      queue.jobs += 1
      thread.place = thread.after
    case .release:
      if queue.oldest.isEmpty { thread.place = .releaseChange } else { endRelease(&thread, false) }
    case .releaseChange:
      let next = mutant == .releaseWithoutLook ? HoldWord.free : queue.hold.releasing
      if let next { queue.hold = next }
      endRelease(&thread, next != nil)
    case .tryLook, .tryHold, .tryChange, .tryRelease, .announce, .queueUp, .queueLook, .queueHold,
      .makeDue, .changeDue, .ownTake:
      return waitStep(&thread)
    case .letGo, .letGoRefill, .letGoStore, .letGoTake, .exit, .exitLook, .exitTake, .exitAlone:
      return leaveStep(&thread)
    case .giveOn, .giveRefill, .giveStore, .giveLook, .giveTake, .giveNone:
      return giveOnStep(&thread)
    case .drain, .enter, .lock, .token, .refill, .store, .look, .take, .none, .noneLook, .nonePark,
      .dueLeave, .leave, .barrierLook, .barrierPark, .barrierTake, .barrierEnd:
      return drainStep(&thread)
    }
    return true
  }

  private mutating func endRelease(_ thread: inout ModelledThread, _ isFree: Bool) {
    thread.place = isFree ? thread.afterRelease : thread.afterFailure
    // Who looks again does so under the lock.
    if queue.locker == thread.number && thread.place != .noneLook { queue.locker = nil }
  }

  private mutating func call(_ thread: inout ModelledThread) {
    let item = thread.item
    let call = queue.items[item].call
    queue.items[item].stop = queue.suspension.isStopped ? queue.stops : -1
    switch call {
    case .async, .asyncBarrier:
      thread.place = .queueUp
      if isConcurrent && call.isBarrier && mutant != .announceLate {
        queue.concurrent = queue.concurrent.announced
      }
    case .sync, .syncBarrier:
      thread.place = .tryLook
    case .suspend:
      if !queue.suspension.isStopped { queue.stops += 1 }
      queue.suspension = queue.suspension.suspended
    case .resume:
      let (next, wakes) = queue.suspension.resumed
      queue.suspension = next
      if wakes && mutant != .resumeWithoutDrain { thread.submit(then: .call) }
    }
  }

  /// Parks the drain; false when the queue is not stopped.
  mutating func park() -> Bool {
    if let next = queue.suspension.parking {
      queue.suspension = next
      return true
    }
    if mutant == .parkWithoutLook {
      queue.suspension = SuspensionWord(bits: queue.suspension.bits | 1)
      return true
    }
    return false
  }
}

extension ModelledCall {
  /// Whether it stands for an item to run.
  var isWork: Bool { self != .suspend && self != .resume }
}
