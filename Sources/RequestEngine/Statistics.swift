import Synchronization

/// What the engine has done so far, by the way the bytes went.
package struct EngineCounts: Hashable, Sendable {
  /// Transfers that the ring carried out.
  package var ringRequests = 0
  package var ringBytesRead = 0
  package var ringBytesWritten = 0
  /// Transfers that plain calls carried out.
  package var threadRequests = 0
  package var threadBytesRead = 0
  package var threadBytesWritten = 0

  package init() {}
}

/// Counters that any thread may read while the backends count.
final class Statistics: Sendable {
  private let ring = Counter()
  private let threads = Counter()

  private final class Counter: Sendable {
    let requests = Atomic<Int>(0)
    let bytesRead = Atomic<Int>(0)
    let bytesWritten = Atomic<Int>(0)

    func count(_ direction: Direction, bytes: Int) {
      requests.add(1, ordering: .relaxed)
      switch direction {
      case .read: bytesRead.add(bytes, ordering: .relaxed)
      case .write: bytesWritten.add(bytes, ordering: .relaxed)
      }
    }
  }

  func countRing(_ direction: Direction, bytes: Int) {
    ring.count(direction, bytes: bytes)
  }

  func countThread(_ direction: Direction, bytes: Int) {
    threads.count(direction, bytes: bytes)
  }

  var counts: EngineCounts {
    var counts = EngineCounts()
    counts.ringRequests = ring.requests.load(ordering: .relaxed)
    counts.ringBytesRead = ring.bytesRead.load(ordering: .relaxed)
    counts.ringBytesWritten = ring.bytesWritten.load(ordering: .relaxed)
    counts.threadRequests = threads.requests.load(ordering: .relaxed)
    counts.threadBytesRead = threads.bytesRead.load(ordering: .relaxed)
    counts.threadBytesWritten = threads.bytesWritten.load(ordering: .relaxed)
    return counts
  }
}
