import IOChannels
import IOChannelsEngine
import IOChannelsLocks

/// Timers of operations that go off when the test says so.
final class ManualTimers: Sendable {
  private struct State {
    var ticks: [Int: @Sendable () -> Void] = [:]
    var intervals: [Duration] = []
  }

  private let state = BargingLock(State())

  /// The intervals that were asked for, in order.
  var intervals: [Duration] { state.withLock { $0.intervals } }
  /// How many timers run.
  var count: Int { state.withLock { $0.ticks.count } }

  /// The timers for an engine.
  var timers: IntervalTimers {
    { [self] interval, tick in
      let number = state.withLock { state in
        state.intervals.append(interval)
        state.ticks[state.intervals.count] = tick
        return state.intervals.count
      }
      return { _ = self.state.withLock { $0.ticks.removeValue(forKey: number) } }
    }
  }

  /// Lets all timers go off once, in the order in which they were started.
  func fire() {
    let ticks = state.withLock { $0.ticks.sorted { $0.key < $1.key }.map(\.value) }
    for tick in ticks { tick() }
  }
}
