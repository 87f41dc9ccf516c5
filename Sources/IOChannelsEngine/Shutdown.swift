import QueueRuntime

/// The requests that the kernel did not complete in time when an engine was shut down.
///
/// Their owners received `ECANCELED`. The requests stay, with their memory and the thread that
/// waits for them, until the kernel completes them, which may be never.
package struct Shutdown: Hashable, Sendable {
  /// The number of requests that a ring has submitted.
  package var stuckOnRing = 0
  /// The number of plain calls that have not returned.
  package var stuckOnThreads = 0

  /// Whether all requests were completed.
  package var isClean: Bool { stuckOnRing == 0 && stuckOnThreads == 0 }

  package init(stuckOnRing: Int = 0, stuckOnThreads: Int = 0) {
    self.stuckOnRing = stuckOnRing
    self.stuckOnThreads = stuckOnThreads
  }
}

/// A backend that can be shut down.
protocol EndingBackend: Backend {
  /// Cancels all requests, and ends later ones with `ECANCELED`.
  func stop()

  /// Waits until all requests have ended after a stop, and reports the end of the others.
  ///
  /// - Returns: The number of requests that the kernel still has.
  func settle(until deadline: Deadline) -> Int
}
