import DataRegions
import Synchronization

/// An owner of zero bytes whose end is counted.
@safe
final class CountedOwner: RegionOwner {
  /// Counts the ends of an owner, and outlives it.
  final class Ends: Sendable {
    private let ended = Mutex(0)

    var count: Int { ended.withLock { $0 } }

    func countOne() { ended.withLock { $0 += 1 } }
  }

  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let capacity: Int
  let ends = Ends()

  var address: UInt { unsafe UInt(bitPattern: start) }

  init(capacity: Int) {
    unsafe start = .allocate(byteCount: capacity, alignment: 1)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe start.deallocate()
    ends.countOne()
  }
}
