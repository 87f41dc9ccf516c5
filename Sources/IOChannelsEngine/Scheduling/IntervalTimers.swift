package import QueueRuntime

/// Calls a function each time that an interval has passed, from now on until the answer is called.
///
/// Times that were missed are one call. The function does no more than hand its work to a queue; a
/// last call may overlap with the end.
package typealias IntervalTimers =
  @Sendable (_ interval: Duration, _ tick: @escaping @Sendable () -> Void) -> @Sendable () -> Void

extension TimerService {
  /// The timers of the process, without leeway.
  package static let intervals: IntervalTimers = { interval, tick in
    let token = shared.arm(at: .now() + interval, leeway: .zero, repeating: interval) { _ in
      tick()
    }
    return { shared.cancel(token) }
  }
}
