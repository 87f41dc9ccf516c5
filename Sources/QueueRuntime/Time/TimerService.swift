internal import IOChannelsLocks
internal import IOChannelsSystem

/// A service that calls actions at points in time, on one thread that sleeps until the next one.
///
/// The thread starts with the first timer and ends after 5 seconds without any. An action runs on
/// it, so it must only submit its work to a queue (S97). Actions of one service run one after the
/// other: on each clock in the order of their times, equal times in no order.
///
/// A timer never fires before its time. While the thread is not busy it fires within its leeway, of
/// which it uses only the part that saves a wake: a lone timer fires on time, and timers whose
/// leeways overlap fire together (S94).
///
/// Where no thread can be started, timers stay armed, and each later call of `arm`, `rearm` and
/// `cancel` tries again. Where the system has no descriptors for alarms, the thread checks for due
/// timers every 100 milliseconds and tries again each time.
///
/// All members may be called on any thread, also in actions.
///
/// A service serves the process that created it. In a child of a fork, which does not have its
/// thread, timers never fire: to arm or move one stops the program (S109).
package final class TimerService: Sendable {
  /// The action of a timer; its argument is the number of times since the last call, at least 1.
  package typealias Action = @Sendable (_ fires: Int) -> Void

  /// The effect of a fire.
  enum Call: Sendable {
    case action(Action)
    /// The submission of a closure, which the thread then no longer keeps: its captures are
    /// released where it runs.
    case submit(WorkQueue, @Sendable () -> Void)
    /// The submission of a C function.
    case submitCall(WorkQueue, FunctionCall)
    case submitItem(WorkQueue, WorkItem)

    consuming func perform(_ fires: Int) {
      switch consume self {
      case .action(let action): action(fires)
      case .submit(let queue, let body): queue.async(execute: consume body)
      case .submitCall(let queue, let call): queue.add(.function(call))
      case .submitItem(let queue, let item): queue.async(execute: item)
      }
    }
  }

  /// A function that starts a thread with a name, or returns the reason for its failure.
  typealias ThreadStarter =
    @Sendable (String, @escaping @Sendable () -> Void) throws(SystemError) -> Void

  /// The service of the whole process.
  package static let shared = TimerService(
    alarm: KernelAlarm(),
    startThread: PlatformThread.start(name:body:)
  )

  private let alarm: any TimerAlarm
  private let startThread: ThreadStarter
  private let generation = ProcessGeneration.current
  private let state = BargingLock(TimerState<Call>())

  /// Creates a service without timers that reads its clocks from `alarm`.
  init(alarm: any TimerAlarm, startThread: @escaping ThreadStarter) {
    self.alarm = alarm
    self.startThread = startThread
  }

  /// The number of armed timers.
  package var count: Int { state.withLock { $0.count } }

  /// The numbers of wakes and fires of the thread.
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
  ///   - interval: The time from one fire to the next; nil for a timer that fires once and is then
  ///     removed. Times count from `deadline`, however late the fires are (S95).
  ///   - action: The action of the timer; released when the timer is removed.
  /// - Returns: The token with which the timer can be moved and cancelled.
  package func arm(
    at deadline: Deadline,
    leeway: Duration? = nil,
    repeating interval: Duration? = nil,
    action: @escaping Action
  ) -> TimerToken {
    arm(schedule(deadline.clock.kernelClock, deadline.point, interval, leeway), .action(action))
  }

  /// Arms a timer on the wall clock, which follows changes of that clock (S96).
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

  /// Arms a timer that fires once and submits work; its leeway is in nanoseconds.
  func arm(_ clock: KernelClock, at time: PointInTime, leeway: Int64, _ call: consuming Call) {
    _ = arm(TimerSchedule(clock: clock, time: time, interval: nil, leeway: leeway), call)
  }

  /// Sets another time, interval and leeway for a timer, with the same action.
  ///
  /// Missed fires are dropped. With the distant future the timer stays, and does not fire.
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

  /// Sets another time on the wall clock for a timer.
  package func rearm(
    _ token: TimerToken,
    atWall deadline: WallDeadline,
    leeway: Duration? = nil,
    repeating interval: Duration? = nil
  ) -> Bool {
    rearm(token, to: schedule(.wall, deadline.point, interval, leeway))
  }

  /// Cancels a timer: no further call of its action begins.
  ///
  /// - Returns: Whether the action is not running either, and a timer that fires once has not
  ///   fired. False for a timer that was gone, which includes all timers in a child of a fork.
  @discardableResult
  package func cancel(_ token: TimerToken) -> Bool {
    guard generation == ProcessGeneration.current else { return false }
    let (cancelled, startsThread) = state.withLock { state in
      let cancelled = state.cancel(token)
      if let alarm = state.alarmAfterDeparture() { set(alarm, &state) }
      return (cancelled, state.callsForThread())
    }
    if startsThread { start() }
    // The captures of the action are released here, outside the lock.
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

  /// Changes the timers and ensures that the thread wakes in time.
  private func change<Value, Answer>(
    to schedule: TimerSchedule,
    giving value: consuming Value,
    _ body: (inout TimerState<Call>, consuming Value) -> sending Answer
  ) -> sending Answer {
    // The thread exists only in the parent, and may hold the lock for ever.
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

  /// Sets an alarm, under the lock: otherwise two threads could set it in the wrong order.
  private func set(_ alarm: TimerState<Call>.Alarm, _ state: inout TimerState<Call>) {
    if !self.alarm.set(alarm.clock, to: alarm.time) { state.failed(alarm) }
  }
}

// MARK: - The thread

extension TimerService {
  private func start() {
    do throws(SystemError) {
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
    // The time is read once, so that a timer whose interval is shorter than its action does not
    // starve the others.
    let now = alarm.now(on: clock)
    while let (call, fires) = state.withLock({ $0.takeDue(on: clock, at: now) }) {
      (consume call).perform(fires)
    }
  }
}
