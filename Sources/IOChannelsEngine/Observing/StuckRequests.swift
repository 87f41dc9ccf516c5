internal import IOChannelsLocks
import QueueRuntime

/// The requests that have been in the kernel for long, at one moment.
package struct StuckRequests: Sendable {
  /// One of these requests, with the time since the kernel got it.
  package struct Entry: Sendable, CustomStringConvertible {
    package var request: RequestSummary
    package var age: Duration

    package var description: String { "\(request), for \(age)" }
  }

  /// The requests that wait for a disk or a file system, in no order.
  ///
  /// Requests that wait for a peer are not included.
  package var entries: [Entry] = []
  /// Whether the ring's thread itself hangs in the kernel and does not report its requests.
  package var isRingSilent = false
}

/// A query to the ring's thread, which may answer late or never.
final class StuckInquiry: Sendable {
  /// The latest start, as uptime in nanoseconds, of a request to report.
  let start: Int64
  private let found = BargingLock<[StuckRequests.Entry]?>(nil)
  private let answered = CountingSemaphore(value: 0)

  init(before start: Int64) {
    self.start = start
  }

  func answer(_ entries: [StuckRequests.Entry]) {
    found.withLock { $0 = entries }
    answered.signal()
  }

  /// Waits for the answer; returns nil if none arrives in time.
  func wait(until deadline: Deadline) -> [StuckRequests.Entry]? {
    _ = answered.wait(timeout: deadline)
    return found.withLock { $0 }
  }
}
