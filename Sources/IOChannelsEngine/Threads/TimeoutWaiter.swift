import QueueRuntime
import Synchronization
internal import IOChannelsLocks

/// A waiter for timeouts on the timers' thread, for requests that the ring does not carry out.
final class TimeoutWaiter: Sendable {
  /// The lock of all requests' timers, because a cancellation may come before a timer is set.
  private let lock = BargingLock(())

  /// Calls `resume` once, at the end of the request's timeout or at its cancellation.
  func wait(for request: Request, resume: @escaping @Sendable () -> Void) {
    lock.withLock { _ in
      let extras = request.makeExtras()
      extras.timer = TimerService.shared.arm(at: extras.deadline, leeway: .zero) { _ in resume() }
    }
    if request.isCancelled.load(ordering: .acquiring) { cancel(request, resume: resume) }
  }

  /// Ends the wait of a request early, and calls `resume` at once.
  ///
  /// It has no effect if the request does not wait.
  func cancel(_ request: Request, resume: () -> Void) {
    let timer = lock.withLock { _ in
      request.extras?.timer.take()
    }
    if let timer, TimerService.shared.cancel(timer) { resume() }
  }
}
