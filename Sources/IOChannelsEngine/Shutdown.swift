import QueueRuntime

/// What an engine that was shut down could not get back from the kernel in time.
///
/// The owners of these requests were told `ECANCELED`. The requests themselves, with their memory
/// and the thread that waits for them, stay until the kernel is done, for ever if need be.
package struct Shutdown: Hashable, Sendable {
  /// Requests that a ring has given to the kernel.
  package var stuckOnRing = 0
  /// Plain calls that do not return.
  package var stuckOnThreads = 0

  /// Whether nothing was left behind.
  package var isClean: Bool { stuckOnRing == 0 && stuckOnThreads == 0 }

  package init(stuckOnRing: Int = 0, stuckOnThreads: Int = 0) {
    self.stuckOnRing = stuckOnRing
    self.stuckOnThreads = stuckOnThreads
  }
}

/// A backend that can be brought to an end.
protocol EndingBackend: Backend {
  /// Takes no more requests, each of which ends with `ECANCELED`, and cancels all that it has.
  func stop()

  /// Waits until everything has ended after a stop; ends what has not by then towards its owner.
  ///
  /// - Returns: The number of requests that the kernel still has.
  func settle(until deadline: Deadline) -> Int
}
