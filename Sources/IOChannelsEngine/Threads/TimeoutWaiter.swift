import QueueRuntime
import Synchronization

/// Waits for points in time on the timers' thread, for requests that the ring does not carry.
final class TimeoutWaiter: Sendable {
  /// Guards the timers of all requests: a cancellation may come before one is entered.
  private let lock = BargingLock(())

  /// Calls `resume` once, when the request's time has come or its wait was cancelled.
  func wait(for request: Request, resume: @escaping @Sendable () -> Void) {
    lock.withLock { _ in
      let extras = request.makeExtras()
      extras.timer = TimerService.shared.arm(at: extras.deadline, leeway: .zero) { _ in resume() }
    }
    if request.isCancelled.load(ordering: .acquiring) { cancel(request, resume: resume) }
  }

  /// Ends the wait of a request early: `resume` is called at once.
  ///
  /// Nothing happens when the request does not wait.
  func cancel(_ request: Request, resume: () -> Void) {
    let timer = lock.withLock { _ in
      request.extras?.timer.take()
    }
    if let timer, TimerService.shared.cancel(timer) { resume() }
  }
}
