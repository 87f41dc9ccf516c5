import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// An object that observes and cancels a running copy.
///
/// Create one for each copy, pass it to ``FileCopier``, and use it from any thread.
public final class CopyMonitor: Sendable {
  private let stopping = Atomic<Bool>(false)
  private let files = Atomic<Int>(0)
  private let bytes = Atomic<Int64>(0)
  private let failures = Atomic<Int>(0)
  private let expectedFiles = Atomic<Int>(0)
  private let expectedBytes = Atomic<Int64>(0)
  private let isCounted = Atomic<Bool>(false)
  /// The uptimes at which the copy began and ended, in nanoseconds; 0 before.
  private let began = Atomic<Int64>(0)
  private let ended = Atomic<Int64>(0)
  private let waiters = BargingLock(UpdateWaiters<CheckedContinuation<Void, Never>>())

  /// Creates a monitor for a copy that has not begun.
  public init() {}

  /// Stops the copy: no further file is started, and incomplete files are removed.
  ///
  /// This function returns at once. The copy returns after all of its threads have finished. A file
  /// that is being overwritten in place is left incomplete. It may be called at any time and from
  /// any thread.
  public func stop() {
    stopping.store(true, ordering: .releasing)
  }

  /// Whether ``stop()`` was called.
  public var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// The current progress of the copy.
  public var progress: CopyProgress {
    let end = ended.load(ordering: .acquiring)
    let start = began.load(ordering: .acquiring)
    let now = end == 0 ? KernelClock.uptime.nanoseconds : end
    var progress = CopyProgress()
    progress.elapsed = start == 0 ? .zero : .nanoseconds(now - start)
    progress.isFinished = end != 0
    progress.isCounted = isCounted.load(ordering: .acquiring)
    progress.files = files.load(ordering: .relaxed)
    progress.bytes = CopyMonitor.sum(bytes)
    progress.failures = failures.load(ordering: .relaxed)
    progress.expectedFiles = expectedFiles.load(ordering: .relaxed)
    progress.expectedBytes = CopyMonitor.sum(expectedBytes)
    return progress
  }

  /// Returns the progress of the copy as a sequence.
  ///
  /// It yields one element at once, one after each interval, and a last one when the copy ends.
  /// Elements are not buffered. A slow reader skips some and receives the current progress.
  public func updates(every interval: Duration = .milliseconds(100)) -> CopyUpdates {
    CopyUpdates(monitor: self, interval: interval)
  }

  // Called by the copy.

  func begin() {
    let wasFree =
      began.compareExchange(
        expected: 0,
        desired: KernelClock.uptime.nanoseconds,
        ordering: .acquiringAndReleasing
      ).exchanged
    requireUse(wasFree, "A monitor observes one copy; create another for the next one.", "S174")
  }

  func end() {
    ended.store(KernelClock.uptime.nanoseconds, ordering: .releasing)
    for waiter in waiters.withLock({ $0.finish() }) { waiter.resume() }
  }

  func countFile() {
    files.wrappingAdd(1, ordering: .relaxed)
  }

  func count(bytes count: Int64) {
    CopyMonitor.add(count, to: bytes)
  }

  func countFailure() {
    failures.wrappingAdd(1, ordering: .relaxed)
  }

  func expect(files count: Int, bytes size: Int64) {
    expectedFiles.wrappingAdd(count, ordering: .relaxed)
    CopyMonitor.add(size, to: expectedBytes)
  }

  /// Adds a number of bytes. The sum is clamped to the maximum.
  private static func add(_ count: Int64, to sum: borrowing Atomic<Int64>) {
    let new = sum.wrappingAdd(count, ordering: .relaxed).newValue
    if new < 0 { sum.store(.max, ordering: .relaxed) }
  }

  /// Returns a sum of `add`, clamped to the maximum even while it overflows.
  private static func sum(_ sum: borrowing Atomic<Int64>) -> Int64 {
    let value = sum.load(ordering: .relaxed)
    return value < 0 ? .max : value
  }

  func setCounted() {
    isCounted.store(true, ordering: .releasing)
  }

  // Called by the sequence.

  /// Waits until an interval has passed, the copy has ended or the task is cancelled.
  func wait(for interval: Duration) async {
    let number = waiters.withLock { $0.begin() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let waiter = waiters.withLock({ $0.park(continuation, as: number) }) {
          waiter.resume()
          return
        }
        WorkQueue.completions().asyncAfter(deadline: .now() + interval) { self.endWait(number) }
      }
    } onCancel: {
      endWait(number)
    }
  }

  private func endWait(_ number: UInt64) {
    waiters.withLock { $0.end(number) }?.resume()
  }
}
