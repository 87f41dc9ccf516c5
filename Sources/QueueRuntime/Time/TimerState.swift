internal import SystemCalls

/// How often a service's thread has woken, and for how many fires.
package struct TimerCounts: Equatable, Sendable {
  /// The times at which the thread came back from its sleep.
  package internal(set) var wakes = 0
  /// The actions that were called; a repeating timer's missed fires are in one call.
  package internal(set) var fires = 0
}

/// What a timer service knows: its timers, and what its thread does.
///
/// While the thread is awake nobody needs to tell it anything: before it sleeps it sets the alarm
/// of each clock to the next look. While it sleeps, an alarm is set anew only by a timer that needs
/// an earlier look. One that was cancelled leaves its alarm, at the price of a look in vain.
struct TimerState<Action: Sendable>: Sendable {
  /// An alarm that has to be set; to never, if there is nothing to wait for.
  struct Alarm: Equatable, Sendable {
    let clock: KernelClock
    let time: PointInTime
  }

  private var heap = TimerHeap<Action>()
  /// What the alarm of each clock is set to, nil for one that is on or could not be set.
  private var alarms = KernelClock.allCases.map { _ in PointInTime?.some(.never) }
  private var hasThread = false
  private var isAsleep = false
  /// The timer whose action the thread calls now.
  private var called: TimerToken?
  private(set) var counts = TimerCounts()

  /// The number of timers, those that never fire among them.
  var count: Int { heap.count }

  // MARK: - On any thread

  mutating func arm(_ schedule: TimerSchedule, action: consuming Action) -> TimerToken {
    heap.arm(schedule, action: action)
  }

  mutating func rearm(_ token: TimerToken, to schedule: TimerSchedule) -> Bool {
    heap.rearm(token, to: schedule)
  }

  /// Takes a timer out.
  ///
  /// - Returns: Its action, to be let go of outside the lock, and whether that is not being called.
  mutating func cancel(_ token: TimerToken) -> (action: Action?, isQuiet: Bool) {
    let action = heap.cancel(token)
    return (action, action != nil && called != token)
  }

  /// The alarm that a sleeping thread needs for a new schedule.
  mutating func earlierAlarm(for schedule: TimerSchedule) -> Alarm? {
    let alarm = alarms[schedule.clock.rawValue] ?? .never
    guard isAsleep, schedule.latest < alarm else { return nil }
    return change(schedule.clock, to: heap.nextLook(on: schedule.clock))
  }

  /// Takes note that an alarm could not be set.
  mutating func failed(_ alarm: Alarm) {
    alarms[alarm.clock.rawValue] = nil
  }

  /// Whether the caller has to start the thread, which counts as started from here on.
  mutating func callsForThread() -> Bool {
    if hasThread || heap.isIdle { return false }
    hasThread = true
    return true
  }

  /// Takes back a thread that could not be started; the next change calls for one again.
  mutating func startFailed() {
    hasThread = false
  }

  // MARK: - On the service's thread

  /// Takes the next timer that is due, after the last one's action has returned.
  mutating func takeDue(on clock: KernelClock, at now: PointInTime) -> (Action, fires: Int)? {
    let due = heap.takeDue(on: clock, at: now)
    called = due?.token
    if due != nil { counts.fires += 1 }
    return due.map { ($0.action, $0.fires) }
  }

  /// Lets the thread sleep.
  ///
  /// - Returns: The alarms to be set, and whether they may never go off.
  mutating func sleep() -> (alarms: [Alarm], isIdle: Bool) {
    isAsleep = true
    var changed: [Alarm] = []
    for clock in KernelClock.allCases {
      let look = heap.nextLook(on: clock)
      if look != alarms[clock.rawValue] { changed.append(change(clock, to: look)) }
    }
    return (changed, heap.isIdle)
  }

  /// Takes note that the thread is awake: by an alarm, or without.
  ///
  /// - Returns: False when the thread ends, because it slept to no purpose and nothing is to come.
  mutating func wake(by clock: KernelClock?) -> Bool {
    isAsleep = false
    counts.wakes += 1
    if let clock {
      // It stays on until it is set anew: to never, too, and to the same time if the clock went
      // back meanwhile.
      alarms[clock.rawValue] = nil
      return true
    }
    if heap.isIdle { hasThread = false }
    return hasThread
  }

  private mutating func change(_ clock: KernelClock, to time: PointInTime) -> Alarm {
    alarms[clock.rawValue] = time
    return Alarm(clock: clock, time: time)
  }
}
