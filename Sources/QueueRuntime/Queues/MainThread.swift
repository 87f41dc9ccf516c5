internal import Synchronization
internal import IOChannelsLocks
internal import IOChannelsSystem

/// The main thread, which drains the main queue.
///
/// If the process contains libdispatch, the main queue is drained as work of Dispatch's main queue,
/// like the main actor. Each loop that drains Dispatch's main queue thus drains both.
final class MainThread: Sendable {
  /// The descriptor that wakes a thread in `poll`, and whether it is signaled.
  private struct Wakeup: ~Copyable {
    var descriptor: WakeupDescriptor?
    var isSignaled = false
  }

  static let shared = MainThread()

  /// 1 while the main queue has to be drained; the thread that resets it drains the queue.
  private let due = Atomic<UInt32>(0)
  /// Whether a drain waits in Dispatch's main queue.
  private let isSubmitted = Atomic<Bool>(false)
  /// Whether Dispatch's main queue has run a drain.
  private let hasRun = Atomic<Bool>(false)
  /// A descriptor that becomes readable when the main queue has to be drained; created on request.
  private let wakeup = BargingLock(Wakeup())
  private let hasWakeup = Atomic<Bool>(false)
  private let generation = ProcessGeneration.current

  /// Whether the calling thread is the main one, or runs Dispatch's main queue after that has left
  /// the main thread.
  static var isCurrent: Bool { PlatformThread.isMain || DispatchMainQueue.isCurrent }

  /// Requests a drain of the main queue.
  func call() {
    checkProcess()
    // Either this thread sees the descriptor, or the thread that creates it sees that the queue is
    // due.
    due.store(1, ordering: .sequentiallyConsistent)
    if DispatchMainQueue.exists { submitDrain() } else { due.unpark() }
    if hasWakeup.load(ordering: .sequentiallyConsistent) { signalWakeup() }
  }

  /// Drains the main queue up to the last work added before, if it has to be drained.
  func drainPending() {
    checkProcess()
    clearWakeup()
    guard due.exchange(0, ordering: .acquiring) == 1 else { return }
    // The drain ends at a gate, which passes the hold to this thread.
    WorkQueue.main.add(.admit(SyncGate()))
    WorkQueue.main.run()
    WorkQueue.main.core.exit(.main, from: .exclusive)
  }

  /// Drains the main queue for ever, and with it Dispatch's, which may be that of the main actor.
  func drainForever() -> Never {
    checkProcess()
    if DispatchMainQueue.exists {
      checkThatDispatchRuns()
      while true {
        DispatchMainQueue.waitForWork()
        // A child of a fork must not take the wake-ups of its parent.
        checkProcess()
        DispatchMainQueue.drain()
      }
    }
    while true {
      due.park(while: 0)
      drainPending()
    }
  }

  /// Stops the program in a child of a fork, which shares the descriptor with its parent and would
  /// signal it there.
  func checkProcess() {
    guard generation == ProcessGeneration.current else {
      stop(saying: "A child of a fork cannot use the main queue of its parent.", "S109")
    }
  }

  private func clearWakeup() {
    guard hasWakeup.load(ordering: .acquiring) else { return }
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

// MARK: - Dispatch

extension MainThread {
  /// Submits a drain to Dispatch's main queue, unless one waits there.
  private func submitDrain() {
    // A waiting drain has still to exchange the flag, and then sees that the queue is due.
    if isSubmitted.exchange(true, ordering: .acquiringAndReleasing) { return }
    DispatchMainQueue.submit { MainThread.shared.drainForDispatch() }
  }

  /// Drains the main queue, as work of Dispatch's main queue.
  private func drainForDispatch() {
    _ = isSubmitted.exchange(false, ordering: .acquiringAndReleasing)
    hasRun.store(true, ordering: .relaxed)
    // A child of a fork may run the copy of a drain that its parent submitted.
    if generation == ProcessGeneration.current { drainPending() }
  }

  /// Stops the program if the caller is work of Dispatch's main queue, which runs no other work
  /// before that has ended.
  private func checkThatDispatchRuns() {
    hasRun.store(false, ordering: .relaxed)
    // Not `submitDrain`: another thread may have set its flag and not submitted yet.
    DispatchMainQueue.submit { MainThread.shared.drainForDispatch() }
    DispatchMainQueue.drain()
    requireUse(
      hasRun.load(ordering: .relaxed),
      "Work of Dispatch's main queue cannot run the main queue for ever.",
      "S78"
    )
  }
}
