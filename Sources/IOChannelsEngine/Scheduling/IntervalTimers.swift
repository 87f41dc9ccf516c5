package import QueueRuntime

/// A function that starts a timer and returns a closure that stops it.
///
/// The timer calls the given closure at each interval, and once for several missed ones. The
/// closure only submits work to a queue. A last call may overlap with the stop.
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
