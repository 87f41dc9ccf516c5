internal import IOChannelsLocks

/// A producer that waits for the triggers of memory pressure and keeps the level that follows from
/// them.
final class PressureProducer: EventProducer {
  private struct State: Sendable {
    var pressure: PressureState
    var triggers: [PressureTrigger]
    var tokens: [Int: ReadinessToken] = [:]
    var core: SourceCore?
    var timer: TimerToken?
    var isTimerArmed = false
  }

  /// A receiver for the events of one trigger.
  private final class Receiver: ReadinessReceiver {
    private let producer: PressureProducer
    private let number: Int
    private let trigger: PressureTrigger

    init(_ producer: PressureProducer, _ number: Int, _ trigger: PressureTrigger) {
      self.producer = producer
      self.number = number
      self.trigger = trigger
    }

    func ready(_ states: ReadinessEvents) {
      if trigger.take(states) {
        producer.triggered(number, trigger.level)
      } else {
        producer.lost(number)
      }
    }
  }

  private let mask: EventSource.MemoryPressureEvent
  private let sharedList: @Sendable () throws(SystemError) -> ReadinessList
  private let state: BargingLock<State>

  init(
    _ triggers: [PressureTrigger],
    _ mask: EventSource.MemoryPressureEvent,
    hold: Int64 = PressureState.hold,
    list: @escaping @Sendable () throws(SystemError) -> ReadinessList = SharedReadinessList.get
  ) {
    self.mask = mask
    sharedList = list
    state = BargingLock(State(pressure: PressureState(hold: hold), triggers: triggers))
  }

  /// The level at this moment.
  var level: EventSource.MemoryPressureEvent { .init(state.withLock { $0.pressure.level }) }

  func start(for core: SourceCore) {
    let triggers = state.withLock { state in
      state.core = core
      return state.triggers
    }
    do throws(SystemError) {
      let list = try sharedList()
      for (number, trigger) in triggers.enumerated() {
        let receiver = Receiver(self, number, trigger)
        let descriptor = trigger.descriptor.rawValue
        let token = try list.register(descriptor, for: trigger.events, receiver)
        state.withLock { $0.tokens[number] = token }
      }
      core.registered(nil)
    } catch {
      let registered = state.withLock { state in
        defer { state.tokens = [:] }
        return state.tokens
      }
      remove(registered)
      core.registered(error)
    }
  }

  func latch(_ noted: UInt) -> UInt? {
    // Two threads may report their levels in the wrong order. The latest level is always among
    // those that are delivered.
    noted | level.intersection(mask).rawValue
  }

  func stop(for core: SourceCore) {
    let former = state.withLock { state in
      // A running handler may still ask for the level.
      defer { state = State(pressure: state.pressure, triggers: []) }
      return state
    }
    if let timer = former.timer { TimerService.shared.cancel(timer) }
    remove(former.tokens)
    withExtendedLifetime(former) { core.released() }
  }

  private func remove(_ tokens: [Int: ReadinessToken]) {
    // A source that was not registered must not create the list.
    if !tokens.isEmpty, let list { for token in tokens.values { list.remove(token) } }
  }

  /// The list of the process, which exists once something was registered.
  private var list: ReadinessList? { try? sharedList() }

  // MARK: - Events

  private static var now: PointInTime {
    PointInTime(nanoseconds: KernelClock.uptime.nanoseconds)
  }

  private func triggered(_ number: Int, _ found: PressureState.Level) {
    report { ($0.pressure.triggered(number, found, at: Self.now), []) }
  }

  /// Stops to wait for a trigger whose control group or peer has gone.
  private func lost(_ number: Int) {
    guard let token = state.withLock({ $0.tokens.removeValue(forKey: number) }) else { return }
    remove([number: token])
  }

  private func elapsed() {
    report { state in
      state.isTimerArmed = false
      let change = state.pressure.elapsed(at: Self.now)
      return (change.level, change.rearmed)
    }
  }

  private func report(
    _ body: (inout State) -> (level: PressureState.Level?, rearmed: [Int])
  ) {
    let (core, level, rearmed) = state.withLock { state in
      let change = body(&state)
      let rearmed = change.rearmed.compactMap { number in
        state.tokens[number].map { ($0, state.triggers[number].events) }
      }
      return (state.core, change.level, rearmed)
    }
    guard let core else { return }
    if let level { core.noted(EventSource.MemoryPressureEvent(level).intersection(mask).rawValue) }
    if let list { for (token, events) in rearmed { list.rearm(token, for: events) } }
    armTimer()
  }

  private func armTimer() {
    let time: PointInTime? = state.withLock { state in
      guard state.core != nil, !state.isTimerArmed else { return nil }
      state.isTimerArmed = state.pressure.nextTime != nil
      return state.pressure.nextTime
    }
    guard let time else { return }
    let leeway = PressureState.window / 8
    let schedule = TimerSchedule(clock: .uptime, time: time, interval: nil, leeway: leeway)
    let token = TimerService.shared.arm(schedule) { _ in self.elapsed() }
    let isStopped = state.withLock { state in
      state.timer = token
      return state.core == nil
    }
    if isStopped { TimerService.shared.cancel(token) }
  }
}
