internal import SystemCalls

/// Calls actions at points in time, on one thread that sleeps until the next one.
///
/// The thread starts with the first timer and ends after 5 seconds without any. An action runs on
/// it, so it does no more than hand its work to a queue (S97). Actions of one service run one after
/// the other: on each clock in the order of their times, equal times in no order.
///
/// A timer never fires before its time. While the thread is not busy it fires within its leeway, of
/// which it uses only what saves a wake: a lone timer fires on time, and timers whose leeways
/// overlap fire together (S94).
///
/// Where no thread can be started, timers stay armed, and each later call of `arm`, `rearm` and
/// `cancel` tries again. Where the system has no descriptors for alarms, the thread looks for due
/// timers every 100 milliseconds and tries again each time.
///
/// All members may be called on any thread, also in actions.
///
/// A service serves the process that made it. In a child of a fork, which has no thread of it,
/// timers never fire: to arm or move one stops the program (S109).
package final class TimerService: Sendable {
  /// What a timer does; it is told how many times have come since the last call, at least 1.
  package typealias Action = @Sendable (_ fires: Int) -> Void

  /// What is done when a timer fires.
  enum Call: Sendable {
    case action(Action)
    /// The thread lets go of the closure with the submission: what it holds is freed where it runs.
    case submit(WorkQueue, @Sendable () -> Void)
    case submitItem(WorkQueue, WorkItem)

    consuming func perform(_ fires: Int) {
      switch consume self {
      case .action(let action): action(fires)
      case .submit(let queue, let body): queue.async(execute: consume body)
      case .submitItem(let queue, let item): queue.async(execute: item)
      }
    }
  }

  /// Starts a thread of a name, or says why not.
  typealias ThreadStarter =
    @Sendable (String, @escaping @Sendable () -> Void) throws(Errno) -> Void

  /// The service of the whole process.
  package static let shared = TimerService(
    alarm: KernelAlarm(),
    startThread: PlatformThread.start(name:body:)
  )

  private let alarm: any TimerAlarm
  private let startThread: ThreadStarter
  private let generation = ProcessGeneration.current
  private let state = BargingLock(TimerState<Call>())

  /// Makes a service without timers that reads its clocks from `alarm`.
  init(alarm: any TimerAlarm, startThread: @escaping ThreadStarter) {
    self.alarm = alarm
    self.startThread = startThread
  }

  /// The number of timers that are armed.
  package var count: Int { state.withLock { $0.count } }

  /// How often the thread has woken and fired.
  package var counts: TimerCounts { state.withLock { $0.counts } }
}

// MARK: - Timers

extension TimerService {
  /// Arms a timer.
  ///
  /// - Parameters:
  ///   - deadline: The time of the first fire. One that has passed fires at once, the distant
  ///     future never does.
  ///   - leeway: The time by which a fire may be late; nil for a tenth of the time that is left, at
  ///     least a millisecond and at most a minute. It is cut to half of `interval` (S93).
  ///   - interval: The time from one fire to the next; nil for a timer that fires once and is gone
  ///     then. Times are counted from `deadline`, however late the fires are (S95).
  ///   - action: What the timer does; let go of when the timer is gone.
  /// - Returns: The name under which the timer can be moved and cancelled.
  package func arm(
    at deadline: Deadline,
    leeway: Duration? = nil,
    repeating interval: Duration? = nil,
    action: @escaping Action
  ) -> TimerToken {
    arm(schedule(deadline.clock.kernelClock, deadline.point, interval, leeway), .action(action))
  }

  /// Arms a timer that follows the wall clock when somebody sets it (S96).
  package func arm(
    atWall deadline: WallDeadline,
    leeway: Duration? = nil,
    repeating interval: Duration? = nil,
    action: @escaping Action
  ) -> TimerToken {
    arm(schedule(.wall, deadline.point, interval, leeway), .action(action))
  }

  /// Arms a timer with a schedule.
  package func arm(_ schedule: TimerSchedule, action: @escaping Action) -> TimerToken {
    arm(schedule, .action(action))
  }

  /// Arms a timer that fires once and submits some work; its leeway is in nanoseconds.
  func arm(_ clock: KernelClock, at time: PointInTime, leeway: Int64, _ call: consuming Call) {
    _ = arm(TimerSchedule(clock: clock, time: time, interval: nil, leeway: leeway), call)
  }

  /// Gives a timer another time, interval and leeway, with the same action.
  ///
  /// Fires that were missed until now are forgotten. With the distant future the timer stays, and
  /// does not fire.
  ///
  /// - Returns: False when the timer is gone: cancelled, or fired for the only time.
  package func rearm(
    _ token: TimerToken,
    at deadline: Deadline,
    leeway: Duration? = nil,
    repeating interval: Duration? = nil
  ) -> Bool {
    rearm(token, to: schedule(deadline.clock.kernelClock, deadline.point, interval, leeway))
  }

  /// Gives a timer another time on the wall clock.
  package func rearm(
    _ token: TimerToken,
    atWall deadline: WallDeadline,
    leeway: Duration? = nil,
    repeating interval: Duration? = nil
  ) -> Bool {
    rearm(token, to: schedule(.wall, deadline.point, interval, leeway))
  }

  /// Takes a timer away: no call of its action begins any more.
  ///
  /// - Returns: Whether the action is not being called either, and a timer that fires once has not
  ///   fired. False for a timer that was gone, as in a child of a fork all are.
  @discardableResult
  package func cancel(_ token: TimerToken) -> Bool {
    guard generation == ProcessGeneration.current else { return false }
    let (cancelled, startsThread) = state.withLock { state in
      let cancelled = state.cancel(token)
      if let alarm = state.alarmAfterDeparture() { set(alarm, &state) }
      return (cancelled, state.callsForThread())
    }
    if startsThread { start() }
    // What the action holds is let go of here, outside the lock.
    return cancelled.isQuiet
  }

  private func schedule(
    _ clock: KernelClock,
    _ time: PointInTime,
    _ interval: Duration?,
    _ leeway: Duration?
  ) -> TimerSchedule {
    TimerSchedule(
      clock: clock,
      time: time,
      interval: interval?.wholeNanoseconds,
      leeway: leeway?.wholeNanoseconds
        ?? TimerSchedule.leeway(ofTimeLeft: alarm.now(on: clock).distance(to: time))
    )
  }

  private func arm(_ schedule: TimerSchedule, _ call: consuming Call) -> TimerToken {
    change(to: schedule, giving: call) { state, call in state.arm(schedule, action: call) }
  }

  private func rearm(_ token: TimerToken, to schedule: TimerSchedule) -> Bool {
    change(to: schedule, giving: token) { state, token in state.rearm(token, to: schedule) }
  }

  /// Changes the timers and sees to it that the thread looks in time.
  private func change<Value, Answer>(
    to schedule: TimerSchedule,
    giving value: consuming Value,
    _ body: (inout TimerState<Call>, consuming Value) -> sending Answer
  ) -> sending Answer {
    // The thread stayed behind, and the lock may be held by it for ever.
    guard generation == ProcessGeneration.current else {
      stop(saying: "A child of a fork cannot use the timers of its parent.", "S109")
    }
    let (answer, startsThread) = state.withLock(giving: value) { state, value in
      let answer = body(&state, value)
      if let alarm = state.alarmAfterDeparture() { set(alarm, &state) }
      if let alarm = state.alarm(for: schedule) { set(alarm, &state) }
      return (answer, state.callsForThread())
    }
    if startsThread { start() }
    return answer
  }

  /// Sets an alarm; under the lock, or two threads could set it in the wrong order.
  private func set(_ alarm: TimerState<Call>.Alarm, _ state: inout TimerState<Call>) {
    if !self.alarm.set(alarm.clock, to: alarm.time) { state.failed(alarm) }
  }
}

// MARK: - The thread

extension TimerService {
  private func start() {
    do throws(Errno) {
      try startThread("timer") { self.serve() }
    } catch {
      state.withLock { $0.startFailed() }
    }
  }

  private func serve() {
    var wokeBy: KernelClock?
    repeat {
      for clock in KernelClock.allCases { fire(on: clock) }
      let isIdle = state.withLock { state in
        let (alarms, isIdle) = state.sleep()
        for alarm in alarms { set(alarm, &state) }
        return isIdle
      }
      wokeBy = alarm.sleep(isIdle: isIdle)
    } while state.withLock { $0.wake(by: wokeBy) }
  }

  private func fire(on clock: KernelClock) {
    // The time is read once, so that a timer whose interval is shorter than its action takes its
    // turn with the others.
    let now = alarm.now(on: clock)
    while let (call, fires) = state.withLock({ $0.takeDue(on: clock, at: now) }) {
      (consume call).perform(fires)
    }
  }
}
