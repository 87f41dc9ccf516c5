internal import Synchronization
internal import IOChannelsLocks
internal import IOChannelsSystem

/// The main thread, which drains the main queue.
final class MainThread: Sendable {
  /// The descriptor that wakes a thread in `poll`, and whether it is signaled.
  private struct Wakeup: ~Copyable {
    var descriptor: WakeupDescriptor?
    var isSignaled = false
  }

  static let shared = MainThread()

  /// 1 while the main queue has to be drained.
  private let due = Atomic<UInt32>(0)
  /// A descriptor that becomes readable when the main queue has to be drained; created on request.
  private let wakeup = BargingLock(Wakeup())
  private let hasWakeup = Atomic<Bool>(false)
  private let generation = ProcessGeneration.current

  /// Whether the calling thread is the main one.
  static var isCurrent: Bool { PlatformThread.isMain }

  /// Requests a drain of the main queue.
  func call() {
    checkProcess()
    // Either this thread sees the descriptor, or the thread that creates it sees that the queue is
    // due.
    due.store(1, ordering: .sequentiallyConsistent)
    due.unpark()
    if hasWakeup.load(ordering: .sequentiallyConsistent) { signalWakeup() }
  }

  /// Drains the main queue up to the last work added before, if it has to be drained.
  func drainPending() {
    checkProcess()
    clearWakeup()
    guard due.load(ordering: .acquiring) == 1 else { return }
    // The drain ends at a gate, which passes the hold to this thread.
    WorkQueue.main.add(.admit(SyncGate()))
    drainIfDue()
    WorkQueue.main.core.exit(.main, isBarrier: false)
  }

  /// Drains the main queue for ever; the program stops when the main actor needs the thread.
  func drainForever() -> Never {
    checkProcess()
    if let descriptor = PlatformThread.mainActorDescriptor {
      try? drain(until: descriptor)
    }
    while true {
      due.park(while: 0)
      clearWakeup()
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
      clearWakeup()
      drainIfDue()
    }
  }

  /// Stops the program in a child of a fork, which shares the descriptor with its parent and would
  /// signal it there.
  func checkProcess() {
    guard generation == ProcessGeneration.current else {
      stop(saying: "A child of a fork cannot use the main queue of its parent.", "S109")
    }
  }

  private func drainIfDue() {
    if due.exchange(0, ordering: .acquiring) == 1 { WorkQueue.main.run() }
  }

  private func clearWakeup() {
    wakeup.withLock { wakeup in
      guard wakeup.isSignaled else { return }
      wakeup.descriptor?.wait()
      wakeup.isSignaled = false
    }
  }

  /// Returns the descriptor that is readable while the main queue has to be drained, the same each
  /// time.
  func readableDescriptor() throws(SystemError) -> Int32 {
    checkProcess()
    if !hasWakeup.load(ordering: .acquiring) { try makeWakeup() }
    return wakeup.withLock { $0.descriptor?.borrowed.rawValue ?? -1 }
  }

  private func makeWakeup() throws(SystemError) {
    var made: WakeupDescriptor? = try WakeupDescriptor()
    wakeup.withLock { wakeup in
      if wakeup.descriptor == nil { wakeup.descriptor = made.take() }
    }
    hasWakeup.store(true, ordering: .sequentiallyConsistent)
    if due.load(ordering: .sequentiallyConsistent) == 1 { signalWakeup() }
  }

  private func signalWakeup() {
    wakeup.withLock { wakeup in
      if wakeup.isSignaled { return }
      wakeup.descriptor?.signal()
      wakeup.isSignaled = true
    }
  }
}
