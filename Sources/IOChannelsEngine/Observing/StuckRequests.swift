import QueueRuntime

/// The requests that the kernel has had for long, at one moment.
package struct StuckRequests: Sendable {
  /// One of them, with the time since it was handed to the kernel.
  package struct Entry: Sendable, CustomStringConvertible {
    package var request: RequestSummary
    package var age: Duration

    package var description: String { "\(request), for \(age)" }
  }

  /// Those that wait for a disk or a file system, in no order; to wait for a peer is no fault.
  package var entries: [Entry] = []
  /// Whether the ring's thread hangs in the kernel itself and tells nothing of its requests.
  package var isRingSilent = false
}

/// A question to the ring's thread, which may answer late or never.
final class StuckInquiry: Sendable {
  /// The uptime before which a request must have started.
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

  /// Waits for the answer, nil when none comes in time.
  func wait(until deadline: Deadline) -> [StuckRequests.Entry]? {
    _ = answered.wait(timeout: deadline)
    return found.withLock { $0 }
  }
}
