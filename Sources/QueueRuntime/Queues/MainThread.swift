internal import Synchronization
internal import IOChannelsLocks
internal import IOChannelsSystem

/// The main thread, which drains the main queue.
final class MainThread: Sendable {
  private struct Bell: ~Copyable {
    var descriptor: WakeupDescriptor?
    var isRung = false
  }

  static let shared = MainThread()

  /// 1 while the main queue has to be drained.
  private let due = Atomic<UInt32>(0)
  /// A descriptor that becomes readable when the main queue has to be drained; created on request.
  private let bell = BargingLock(Bell())
  private let hasBell = Atomic<Bool>(false)
  private let generation = ProcessGeneration.current

  /// Whether the calling thread is the main one.
  static var isCurrent: Bool { PlatformThread.isMain }

  /// Requests a drain of the main queue.
  func call() {
    checkProcess()
    // Either this thread sees the bell, or the thread that creates it sees that the queue is due.
    due.store(1, ordering: .sequentiallyConsistent)
    due.unpark()
    if hasBell.load(ordering: .sequentiallyConsistent) { ring() }
  }

  /// Drains the main queue up to the last work added before, if it has to be drained.
  func drainWhatWaits() {
    checkProcess()
    silenceBell()
    guard due.load(ordering: .acquiring) == 1 else { return }
    // The drain ends at a gate, which passes the hold to this thread.
    WorkQueue.main.add(.admit(SyncGate()))
    drainIfDue()
    WorkQueue.main.lane.exit(.main, isBarrier: false)
  }

  /// Drains the main queue for ever; the program stops when the main actor needs the thread.
  func drainForEver() -> Never {
    checkProcess()
    if let descriptor = PlatformThread.mainActorDescriptor {
      try? drain(until: descriptor)
    }
    while true {
      due.park(while: 0)
      silenceBell()
      drainIfDue()
    }
  }

  /// Drains the main queue; throws when the system has no descriptors to wait for both.
  private func drain(until mainActor: BorrowedDescriptor) throws(SystemError) -> Never {
    let mainQueue = BorrowedDescriptor(rawValue: try readableDescriptor())
    let both = try ReadinessQueue()
    try both.add(mainQueue, forReading: true, token: 0)
    try both.add(mainActor, forReading: true, token: 1)
    while true {
      if try both.next().token == 1 {
        stop(
          saying:
            "The main actor has work for the main thread, which runs the main queue for ever.",
          "S78"
        )
      }
      silenceBell()
      drainIfDue()
    }
  }

  /// Stops the program in a child of a fork, which shares the bell with its parent and would signal
  /// it there.
  func checkProcess() {
    guard generation == ProcessGeneration.current else {
      stop(saying: "A child of a fork cannot use the main queue of its parent.", "S109")
    }
  }

  private func drainIfDue() {
    if due.exchange(0, ordering: .acquiring) == 1 { WorkQueue.main.run() }
  }

  private func silenceBell() {
    bell.withLock { bell in
      guard bell.isRung else { return }
      bell.descriptor?.wait()
      bell.isRung = false
    }
  }

  /// Returns the descriptor that is readable while the main queue has to be drained, the same each
  /// time.
  func readableDescriptor() throws(SystemError) -> Int32 {
    checkProcess()
    if !hasBell.load(ordering: .acquiring) { try hangUpBell() }
    return bell.withLock { $0.descriptor?.borrowed.rawValue ?? -1 }
  }

  private func hangUpBell() throws(SystemError) {
    var made: WakeupDescriptor? = try WakeupDescriptor()
    bell.withLock { bell in
      if bell.descriptor == nil { bell.descriptor = made.take() }
    }
    hasBell.store(true, ordering: .sequentiallyConsistent)
    if due.load(ordering: .sequentiallyConsistent) == 1 { ring() }
  }

  private func ring() {
    bell.withLock { bell in
      if bell.isRung { return }
      bell.descriptor?.signal()
      bell.isRung = true
    }
  }
}
