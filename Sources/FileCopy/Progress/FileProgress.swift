import Synchronization

/// The bytes of the file that a thread copies, as far as the progress of the copy counts them.
///
/// Channels count bytes on threads of their own.
final class FileProgress: Sendable {
  private let monitor: CopyMonitor
  private let bytes = Atomic<Int64>(0)

  init(_ monitor: CopyMonitor) {
    self.monitor = monitor
  }

  /// Whether the copy must stop.
  var isStopping: Bool { monitor.isStopping }

  /// Begins the next file, or another attempt to copy the same one.
  func begin() {
    bytes.store(0, ordering: .relaxed)
  }

  /// Adds copied bytes to the progress.
  func count(bytes count: Int64) {
    bytes.wrappingAdd(count, ordering: .relaxed)
    monitor.count(bytes: count)
  }

  /// Removes the bytes of an attempt that has failed from the progress.
  ///
  /// So a file that is copied again is not counted twice.
  func takeBack() {
    let count = bytes.exchange(0, ordering: .relaxed)
    if count > 0 { monitor.count(bytes: -count) }
  }
}
