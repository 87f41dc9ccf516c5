import IOChannelsLocks
import IOChannelsSystem

@testable import QueueRuntime

/// The call of a timer's action.
struct TimerCall: Equatable, Sendable, CustomStringConvertible {
  let name: String
  let fires: Int

  static func fired(_ name: String, times: Int = 1) -> TimerCall {
    TimerCall(name: name, fires: times)
  }

  var description: String { "\(name) fired \(fires) times" }
}

/// A service on clocks that a test moves, and what its timers did.
final class TimerBench: Sendable {
  let alarm = VirtualAlarm()
  let service: TimerService
  /// The calls of actions in their order.
  let fired = BargingLock<[TimerCall]>([])

  init() {
    service = TimerService(alarm: alarm, startThread: PlatformThread.start(name:body:))
  }

  /// What fired since this was asked last.
  func news() -> [TimerCall] {
    fired.withLock { fired in
      defer { fired = [] }
      return fired
    }
  }

  func action(_ name: String) -> TimerService.Action {
    { [self] fires in fired.withLock { $0.append(.fired(name, times: fires)) } }
  }

  /// Arms a timer of the uptime without leeway.
  @discardableResult
  func arm(_ name: String, at time: UInt64, every interval: Int64? = nil) -> TimerToken {
    service.arm(
      at: Deadline(uptimeNanoseconds: time),
      leeway: .zero,
      repeating: interval.map { .nanoseconds($0) },
      action: action(name)
    )
  }

  /// Ends the thread; no timer may be left that fires.
  func end() {
    alarm.settle()
    alarm.endSleep()
  }
}
