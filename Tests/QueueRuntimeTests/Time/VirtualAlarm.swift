import Synchronization
import IOChannelsLocks
import IOChannelsSystem

@testable import QueueRuntime

/// Clocks that stand still until a test moves them, and alarms that follow them.
final class VirtualAlarm: TimerAlarm {
  private struct State {
    var clocks = KernelClock.allCases.map { _ in PointInTime(nanoseconds: 0) }
    var alarms = KernelClock.allCases.map { _ in PointInTime.never }
    /// Everything that was set so far.
    var history: [PointInTime] = []
    var isAsleep = false
    var refusals = 0
    var endsSleep = false

    var goneOff: KernelClock? {
      KernelClock.allCases.first { alarms[$0.rawValue] <= clocks[$0.rawValue] }
    }
  }

  private enum Wake {
    case alarm(KernelClock)
    case noAlarm
  }

  private let state = BargingLock(State())
  /// Counts changes, for both sides to wait on.
  private let word = Atomic<UInt32>(0)

  /// What was set so far, on any clock.
  var history: [PointInTime] { state.withLock { $0.history } }

  private func change<Answer>(_ body: (inout State) -> sending Answer) -> sending Answer {
    let answer = state.withLock(body)
    word.add(1, ordering: .releasing)
    word.unpark(.max)
    return answer
  }

  private func wait<Answer>(_ look: (inout State) -> sending Answer?) -> sending Answer {
    while true {
      let seen = word.load(ordering: .acquiring)
      if let answer = state.withLock(look) { return answer }
      word.park(while: seen)
    }
  }

  // MARK: - For the service

  func now(on clock: KernelClock) -> PointInTime {
    state.withLock { $0.clocks[clock.rawValue] }
  }

  func set(_ clock: KernelClock, to time: PointInTime) -> Bool {
    change { state in
      if state.refusals > 0 {
        state.refusals -= 1
        return false
      }
      state.alarms[clock.rawValue] = time
      state.history.append(time)
      return true
    }
  }

  func sleep(isIdle: Bool) -> KernelClock? {
    change { $0.isAsleep = true }
    let wake: Wake = wait { state in
      let clock = state.goneOff
      guard clock != nil || state.endsSleep else { return nil }
      // In one step with the reason, or `settle` would take the thread for one that sleeps on.
      state.isAsleep = false
      if let clock { return .alarm(clock) }
      state.endsSleep = false
      return .noAlarm
    }
    if case .alarm(let clock) = wake { return clock }
    return nil
  }

  // MARK: - For tests

  /// Sets a clock, and returns when the thread has done what is due and sleeps again.
  func set(_ clock: KernelClock = .uptime, now nanoseconds: Int64) {
    change { $0.clocks[clock.rawValue] = PointInTime(nanoseconds: nanoseconds) }
    settle()
  }

  /// Waits until the thread sleeps and nothing wakes it.
  func settle() {
    wait { $0.isAsleep && $0.goneOff == nil && !$0.endsSleep ? () : nil }
  }

  /// Ends the sleep of the thread without an alarm.
  func endSleep() {
    change { $0.endsSleep = true }
  }

  /// Refuses to set alarms so many times.
  func refuse(_ times: Int) {
    change { $0.refusals = times }
  }
}
