internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// Has another thread ask for the bytes of one file that is not in memory, ahead of the thread that
/// copies them.
///
/// The kernel itself reads a little ahead only, on the thread that reads. That is enough as long as
/// the disk has nothing else to do; once it is written to as well, the copy waits for each read.
final class ReadAhead: Sendable {
  /// From this length on a file is worth a second thread: a copy of it lasts until the kernel
  /// begins to bring it to the disk.
  private static let leastLength: Int64 = 1 << 30

  private let source: BorrowedDescriptor
  private let window: BargingLock<ReadAheadWindow>
  private let queue = WorkQueue(label: "read ahead", pool: .completions)
  /// Entered while the other thread uses the source.
  private let asking = WorkGroup()

  /// Begins to ask for the bytes of a source that is copied from its start; nil where that is of no
  /// use.
  init?(of files: FilePair) {
    let (source, status) = (files.source, files.status)
    guard status.size >= ReadAhead.leastLength, source.isCold(status) else { return nil }
    self.source = source
    window = BargingLock(ReadAheadWindow(length: status.size))
    moved(0)
  }

  /// Notes that bytes were copied behind those before.
  func moved(_ count: Int) {
    guard window.withLock({ $0.moved(count) }) else { return }
    queue.async { [self] in ask() }
  }

  /// Waits until nobody uses the source any more. Where no thread could be had to ask, nobody did.
  func finish() {
    window.withLock { $0.stop() }
    asking.wait()
  }

  private func ask() {
    let mayAsk = window.withLock { window in
      if !window.isStopped { asking.enter() }
      return !window.isStopped
    }
    guard mayAsk else { return }
    defer { asking.leave() }
    while let part = window.withLock({ $0.next() }) {
      do throws(SystemError) {
        try source.advise(.willNeed, offset: part.lowerBound, length: Int64(part.count))
      } catch {
        // Who copies finds out what is wrong, if anything is.
        window.withLock { $0.stop() }
      }
    }
  }
}
