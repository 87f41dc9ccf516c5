import DataRegionsFoundation
import Synchronization

/// Counts how often memory was given back.
final class Ends: Sendable {
  private let ended = Mutex(0)

  var count: Int { ended.withLock { $0 } }

  func countOne() { ended.withLock { $0 += 1 } }
}

/// A buffer with one region for each array.
func buffer(_ parts: [[UInt8]]) -> DataBuffer {
  parts.reduce(into: DataBuffer()) { $0.append(DataBuffer($1)) }
}
