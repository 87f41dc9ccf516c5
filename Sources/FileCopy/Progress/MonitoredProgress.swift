import IOChannelsSystem
internal import IOChannelsLocks
import QueueRuntime
import Synchronization

/// The progress of one copy, which its monitor and all sequences of updates share.
///
/// A sequence does not hold the monitor, so that the end of an unused monitor ends the sequence.
final class MonitoredProgress: Sendable {
  private let files = Atomic<Int>(0)
  private let bytes = Atomic<Int64>(0)
  private let failures = Atomic<Int>(0)
  private let expectedFiles = Atomic<Int>(0)
  private let expectedBytes = Atomic<Int64>(0)
  private let omittedBytes = Atomic<Int64>(0)
  private let isCounted = Atomic<Bool>(false)
  private let isFlushing = Atomic<Bool>(false)
  /// The uptimes at which the copy began and ended, in nanoseconds; 0 before.
  private let began = Atomic<Int64>(0)
  private let ended = Atomic<Int64>(0)
  private let isAbandoned = Atomic<Bool>(false)
  private let inFlight = BargingLock(FilesInFlight<FileJob>())
  private let waiters = BargingLock(UpdateWaiters<CheckedContinuation<Void, Never>>())

  /// The progress now; nil if the copy has not begun and cannot begin any more.
  var current: CopyProgress? {
    if isAbandoned.load(ordering: .acquiring) { return nil }
    let end = ended.load(ordering: .acquiring)
    let start = began.load(ordering: .acquiring)
    let now = end == 0 ? KernelClock.uptime.nanoseconds : end
    var progress = CopyProgress()
    progress.elapsed = start == 0 ? .zero : .nanoseconds(now - start)
    progress.isFinished = end != 0
    progress.isCounted = isCounted.load(ordering: .acquiring)
    progress.fileCount = files.load(ordering: .relaxed)
    progress.byteCount = Self.sum(bytes)
    if isFlushing.load(ordering: .acquiring) {
      progress.unwrittenByteCount = min(UnwrittenMemory.byteCount ?? .max, progress.byteCount)
    }
    progress.currentFile = inFlight.withLock { $0.first }?.sourcePath
    progress.failureCount = failures.load(ordering: .relaxed)
    progress.expectedFileCount = expectedFiles.load(ordering: .relaxed)
    progress.expectedByteCount = max(Self.sum(expectedBytes) - Self.sum(omittedBytes), 0)
    return progress
  }

  // Called by the copy and its monitor.

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
    finishWaits()
  }

  /// Ends all sequences if the copy has not begun, because no copy can begin any more.
  func abandon() {
    if began.load(ordering: .acquiring) != 0 { return }
    isAbandoned.store(true, ordering: .releasing)
    finishWaits()
  }

  private func finishWaits() {
    // Most copies have no waiters, and even an empty list of them takes long to create.
    if !waiters.withLock({ $0.finishUnused() }) { resumeWaiters() }
  }

  @inline(never)
  private func resumeWaiters() {
    for waiter in waiters.withLock({ $0.finish() }) { waiter.resume() }
  }

  func countFile() {
    files.wrappingAdd(1, ordering: .relaxed)
  }

  /// Records that the contents of a file are being copied, and returns the number of the record.
  func begin(_ job: FileJob) -> UInt64 {
    inFlight.withLock { $0.begin(job) }
  }

  /// Removes the record with a number.
  func end(_ number: UInt64) {
    inFlight.withLock { $0.end(number) }
  }

  func count(bytes count: Int64) {
    Self.add(count, to: bytes)
  }

  func countFailure() {
    failures.wrappingAdd(1, ordering: .relaxed)
  }

  func expect(files count: Int, bytes size: Int64) {
    expectedFiles.wrappingAdd(count, ordering: .relaxed)
    Self.add(size, to: expectedBytes)
  }

  /// Subtracts the bytes of a file that is not copied from the expected ones.
  func omit(bytes size: Int64) {
    Self.add(size, to: omittedBytes)
  }

  /// Adds a number of bytes, which may be negative. The sum is clamped to 0 and the maximum.
  private static func add(_ count: Int64, to sum: borrowing Atomic<Int64>) {
    let new = sum.wrappingAdd(count, ordering: .relaxed).newValue
    if new < 0 { sum.store(count < 0 ? 0 : .max, ordering: .relaxed) }
  }

  /// Returns a sum of `add`, clamped to the maximum even while it overflows.
  private static func sum(_ sum: borrowing Atomic<Int64>) -> Int64 {
    let value = sum.load(ordering: .relaxed)
    return value < 0 ? .max : value
  }

  func setFlushing(_ flag: Bool) {
    isFlushing.store(flag, ordering: .releasing)
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
