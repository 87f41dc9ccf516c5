import Synchronization

/// The counts of the engine's work so far, by backend.
package struct EngineCounts: Hashable, Sendable {
  /// The number of requests that the ring carried out.
  package var ringRequests = 0
  package var ringBytesRead = 0
  package var ringBytesWritten = 0
  /// The number of requests that threads carried out, by plain calls or by waiting.
  package var threadRequests = 0
  package var threadBytesRead = 0
  package var threadBytesWritten = 0
  /// The number of completions for requests that the ring no longer has.
  ///
  /// It is 0 unless there is a defect (I14).
  package var staleAnswers = 0
  /// The number of stale completions with an error.
  package var staleErrors = 0

  package init() {}
}

/// Counters that any thread may read while the backends increment them.
final class Statistics: Sendable {
  private let ring = Counter()
  private let threads = Counter()
  private let staleAnswers = Atomic<Int>(0)
  private let staleErrors = Atomic<Int>(0)

  private final class Counter: Sendable {
    let requests = Atomic<Int>(0)
    let bytesRead = Atomic<Int>(0)
    let bytesWritten = Atomic<Int>(0)

    func count(_ kind: Request.Kind, answer: Int) {
      requests.add(1, ordering: .relaxed)
      switch kind {
      case .read: bytesRead.add(answer, ordering: .relaxed)
      case .write: bytesWritten.add(answer, ordering: .relaxed)
      default: break
      }
    }
  }

  func countRing(_ kind: Request.Kind, answer: Int) {
    ring.count(kind, answer: answer)
  }

  func countThread(_ kind: Request.Kind, answer: Int) {
    threads.count(kind, answer: answer)
  }

  /// Counts a completion without a request, of which only success or error is known.
  func countStale(_ answer: Int32) {
    staleAnswers.add(1, ordering: .relaxed)
    if answer < 0 { staleErrors.add(1, ordering: .relaxed) }
  }

  var counts: EngineCounts {
    var counts = EngineCounts()
    counts.ringRequests = ring.requests.load(ordering: .relaxed)
    counts.ringBytesRead = ring.bytesRead.load(ordering: .relaxed)
    counts.ringBytesWritten = ring.bytesWritten.load(ordering: .relaxed)
    counts.threadRequests = threads.requests.load(ordering: .relaxed)
    counts.threadBytesRead = threads.bytesRead.load(ordering: .relaxed)
    counts.threadBytesWritten = threads.bytesWritten.load(ordering: .relaxed)
    counts.staleAnswers = staleAnswers.load(ordering: .relaxed)
    counts.staleErrors = staleErrors.load(ordering: .relaxed)
    return counts
  }
}
