internal import Synchronization
internal import SystemCalls

/// Where one worker of a pool waits to be called, and where the watcher looks after it.
final class WorkerSeat: Sendable {
  /// The kernel's number of the worker's thread.
  let threadNumber = Atomic<Int32>(0)
  /// Whether the worker is inside a job.
  let isWorking = Atomic<Bool>(false)
  /// What the worker is called for, 0 for nothing.
  private let word = Atomic<UInt32>(0)

  /// Whether the worker is inside a job that does not use a processor at this moment.
  var isBlocked: Bool {
    guard isWorking.load(ordering: .relaxed) else { return false }
    return PlatformThread.isBlocked(number: threadNumber.load(ordering: .relaxed))
  }

  /// Calls the worker, which must be waiting or about to.
  func call(_ duty: UInt32) {
    word.store(duty, ordering: .releasing)
    word.unpark()
  }

  /// Waits to be called; after each idle time, in nanoseconds, asks whether the thread may end.
  ///
  /// - Returns: What the worker is called for, nil when the thread may end.
  func wait(idleTime: Int64, expire: () -> Bool) -> UInt32? {
    while true {
      let duty = word.exchange(0, ordering: .acquiring)
      if duty != 0 { return duty }
      if word.park(while: 0, nanoseconds: idleTime) && expire() { return nil }
    }
  }

  /// Waits a while; nobody calls the worker meanwhile.
  func pause(milliseconds: Int64) {
    word.park(while: 0, nanoseconds: milliseconds * 1_000_000)
  }
}
