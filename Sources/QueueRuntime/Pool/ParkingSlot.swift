internal import Synchronization
internal import IOChannelsSystem

/// The parking slot of one worker thread, with the worker's state for the watcher.
final class ParkingSlot: Sendable {
  /// The kernel's number of the worker's thread.
  let threadNumber = Atomic<Int32>(0)
  /// Whether the worker runs a job.
  let isWorking = Atomic<Bool>(false)
  /// The duty that the worker is called for, 0 for none.
  private let word = Atomic<UInt32>(0)

  /// Whether the worker runs a job that does not use a processor at this moment.
  var isBlocked: Bool {
    guard isWorking.load(ordering: .relaxed) else { return false }
    return PlatformThread.isBlocked(number: threadNumber.load(ordering: .relaxed))
  }

  /// Calls the worker, which must be waiting or about to.
  func call(_ duty: UInt32) {
    word.store(duty, ordering: .releasing)
    word.unpark()
  }

  /// Waits for a call. After each idle time, in nanoseconds, `expire` decides whether the thread
  /// may end.
  ///
  /// - Returns: The duty that the worker is called for, nil when the thread may end.
  func wait(idleTime: Int64, expire: () -> Bool) -> UInt32? {
    while true {
      let duty = word.exchange(0, ordering: .acquiring)
      if duty != 0 { return duty }
      if word.park(while: 0, nanoseconds: idleTime) && expire() { return nil }
    }
  }

  /// Pauses the worker, which is not called meanwhile.
  func pause(milliseconds: Int64) {
    word.park(while: 0, nanoseconds: milliseconds * 1_000_000)
  }
}
