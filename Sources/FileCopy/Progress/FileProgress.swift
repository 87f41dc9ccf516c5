import Glibc
import IOChannelsSystem
import Synchronization

/// The bytes of the file that a thread copies, as far as the progress of the copy counts them.
///
/// Channels count bytes on threads of their own.
final class FileProgress: Sendable {
  private let monitor: CopyMonitor
  private let bytes = Atomic<Int64>(0)
  /// The time, in microseconds, after which a waiting thread checks whether the copy is stopped.
  private static let pause: Int64 = 50_000

  init(_ monitor: CopyMonitor) {
    self.monitor = monitor
  }

  /// Whether the copy must stop.
  var isStopping: Bool { monitor.isStopping }

  /// Waits until a time, in nanoseconds since the start of the system, or until the copy is
  /// stopped.
  func wait(until time: Int64) {
    while !isStopping {
      let rest = time - KernelClock.uptime.nanoseconds
      if rest <= 0 { return }
      _ = usleep(UInt32(min(rest / 1000 + 1, FileProgress.pause)))
    }
  }

  /// Whether no byte of the file was copied.
  var isAtStart: Bool { bytes.load(ordering: .relaxed) == 0 }

  /// Begins the next file, or another attempt to copy the same one.
  func begin() {
    bytes.store(0, ordering: .relaxed)
  }

  /// Adds copied bytes to the progress.
  func count(bytes count: Int64) {
    bytes.wrappingAdd(count, ordering: .relaxed)
    monitor.shared.count(bytes: count)
  }

  /// Removes the bytes of an attempt that has failed from the progress.
  ///
  /// So a file that is copied again is not counted twice.
  func takeBack() {
    let count = bytes.exchange(0, ordering: .relaxed)
    if count > 0 { monitor.shared.count(bytes: -count) }
  }
}
