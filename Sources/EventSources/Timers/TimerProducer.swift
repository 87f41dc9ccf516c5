internal import IOChannelsLocks

/// Arms the fires of a timer source with the timer service.
final class TimerProducer: EventProducer {
  private struct State: Sendable {
    var timer = TimerSourceState()
    var core: SourceCore?
  }

  private let state = BargingLock(State())

  /// Replaces the schedule, on any thread and at any time.
  func set(_ schedule: TimerSchedule) {
    perform(state.withLock { $0.timer.set(schedule) })
  }

  func start(for core: SourceCore) {
    state.withLock { $0.core = core }
    // The registration handler must not follow the first event. A source that was cancelled is
    // stopped by this call.
    core.registered(nil)
    perform(state.withLock { $0.timer.start() })
  }

  func latch(_ noted: UInt) -> UInt? {
    let latched = state.withLock { state in
      state.timer.clock.flatMap { clock in
        state.timer.latch(at: PointInTime(nanoseconds: clock.nanoseconds))
      }
    }
    guard let latched else { return nil }
    perform(latched.change)
    return latched.fires == 0 ? nil : UInt(latched.fires)
  }

  func stop(for core: SourceCore) {
    let (token, former) = state.withLock { state in
      (state.timer.stop(), state.core.take())
    }
    if let token { TimerService.shared.cancel(token) }
    withExtendedLifetime(former) { core.released() }
  }

  private func perform(_ change: TimerSourceState.Change) {
    if let token = change.cancelled { TimerService.shared.cancel(token) }
    guard let fire = change.armed else { return }
    // The closure keeps no more than it needs: it is allocated for each fire.
    let number = fire.number
    let token = TimerService.shared.arm(fire.schedule) { _ in self.fired(number) }
    let isCurrent = state.withLock { $0.timer.armed(fire, as: token) }
    if !isCurrent { TimerService.shared.cancel(token) }
  }

  private func fired(_ number: UInt64) {
    let core = state.withLock { state in state.timer.fired(number) ? state.core : nil }
    core?.noted(1)
  }
}
