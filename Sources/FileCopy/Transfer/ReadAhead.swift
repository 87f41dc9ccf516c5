internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// The prefetching of one file that is not in the page cache, by a second thread.
///
/// The kernel reads ahead only a little, and on the reading thread. That is enough while the disk
/// has no other work. While the disk also writes, the copy would wait for each read.
final class ReadAhead: Sendable {
  /// The minimum length of a file that is prefetched.
  ///
  /// The copy of a shorter file ends before the kernel begins to write it back.
  private static let leastLength: Int64 = 1 << 30

  private let source: BorrowedDescriptor
  private let window: BargingLock<ReadAheadWindow>
  private let queue = WorkQueue(label: "read ahead", pool: .completions)
  /// A group that the second thread enters while it uses the source.
  private let prefetching = WorkGroup()

  /// Starts the prefetching of a source that is copied from its start; nil if it would be useless.
  init?(of files: borrowing FilePair) {
    let (source, status) = (files.source, files.status)
    guard status.size >= ReadAhead.leastLength, source.isCold(status) else { return nil }
    self.source = source
    let isPaced = files.pacing?.limitsUnwrittenData ?? false
    let reach = isPaced ? ReadAheadWindow.pacedReach : ReadAheadWindow.reach
    window = BargingLock(ReadAheadWindow(length: status.size, reach: reach))
    advance(by: 0)
  }

  /// Records further copied bytes.
  func advance(by count: Int) {
    guard window.withLock({ $0.advance(by: count) }) else { return }
    queue.async { [self] in prefetch() }
  }

  /// Stops the prefetching, and waits until the second thread no longer uses the source.
  ///
  /// If no thread was available, the source was not prefetched and there is no wait.
  func finish() {
    window.withLock { $0.stop() }
    prefetching.wait()
  }

  private func prefetch() {
    let mayPrefetch = window.withLock { window in
      if !window.isStopped { prefetching.enter() }
      return !window.isStopped
    }
    guard mayPrefetch else { return }
    defer { prefetching.leave() }
    while let part = window.withLock({ $0.next() }) {
      do throws(SystemError) {
        try source.advise(.willNeed, offset: part.lowerBound, length: Int64(part.count))
      } catch {
        // If the file has a problem, the copying thread reports it.
        window.withLock { $0.stop() }
      }
    }
  }
}
