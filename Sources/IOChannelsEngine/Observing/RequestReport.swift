internal import IOChannelsLocks
import QueueRuntime

/// The requests of an engine, or of a part of it, at one moment.
package struct RequestReport: Sendable {
  /// A request that has been in the kernel for long.
  package struct Stuck: Sendable {
    package var request: RequestSummary
    /// The time since the kernel got the request.
    package var age: Duration

    init(_ request: Request, age: Duration) {
      self.request = RequestSummary(request)
      self.age = age
    }
  }

  /// The number of requests that the kernel carries out or that wait for a peer.
  package var inFlightCount = 0
  /// The number of requests that wait for a slot, a thread or an earlier append.
  package var waitingCount = 0
  /// The requests that have waited for a disk or a file system for long, in no order.
  ///
  /// Requests that wait for a peer are not included.
  package var stuck: [Stuck] = []
  /// Whether a ring's thread hangs in the kernel and does not report its requests.
  package var isRingSilent = false

  package init() {}

  /// Adds the requests of another part of the engine.
  mutating func add(_ other: RequestReport) {
    inFlightCount += other.inFlightCount
    waitingCount += other.waitingCount
    stuck += other.stuck
    isRingSilent = isRingSilent || other.isRingSilent
  }
}

/// A query to the ring's thread, which may answer late or never.
final class RingInquiry: Sendable {
  /// The latest start, as uptime in nanoseconds, of a request that counts as stuck.
  let start: Int64
  private let found = BargingLock<RequestReport?>(nil)
  private let answered = CountingSemaphore(value: 0)

  init(stuckBefore start: Int64) {
    self.start = start
  }

  func answer(_ report: RequestReport) {
    found.withLock { $0 = report }
    answered.signal()
  }

  /// Waits for the answer; returns nil if none arrives in time.
  func wait(until deadline: Deadline) -> RequestReport? {
    _ = answered.wait(timeout: deadline)
    return found.withLock { $0 }
  }
}
