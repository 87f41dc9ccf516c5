import DispatchInterop
import Synchronization

/// Counts how often memory was given back.
final class Ends: Sendable {
  private let ended = Mutex(0)

  var count: Int { ended.withLock { $0 } }

  func countOne() { ended.withLock { $0 += 1 } }
}

extension DispatchQueue {
  /// Waits until a serial queue has run everything that was submitted before.
  func drain() { sync {} }
}
