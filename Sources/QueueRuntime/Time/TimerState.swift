internal import IOChannelsSystem

/// The number of wakes of a service's thread, and of fires.
package struct TimerCounts: Equatable, Sendable {
  /// The number of times that the thread woke from its sleep.
  package internal(set) var wakes = 0
  /// The number of actions called; a repeating timer's missed fires share one call.
  package internal(set) var fires = 0
}

/// The state of a timer service: its timers, and the activity of its thread.
///
/// Before the thread sleeps it sets the alarm of each clock to the next wake (S94), so an awake
/// thread needs no notice. While it sleeps, an added or removed timer sets the alarm again in three
/// cases:
///
/// - A new timer's leeway ends before the alarm. It always gets an earlier alarm.
/// - A new timer can be fired with the others by a later alarm.
/// - The timer of the present alarm was removed, and others need not wait for it any more.
///
/// The last two save a wake or a delay, and cost a system call each. So their number in one sleep
/// is bounded; beyond that, timers fire within their leeways, at the cost of a second wake. In all
/// other cases a cancelled timer leaves its alarm, at the cost of a wake without a due timer.
struct TimerState<Action: Sendable>: Sendable {
  /// An alarm that has to be set; its time is never if no timer will fire.
  struct Alarm: Equatable, Sendable {
    let clock: KernelClock
    let time: PointInTime
  }

  private var heap = TimerHeap<Action>()
  /// The time of each clock's alarm, nil for one that is on or could not be set.
  private var alarms = KernelClock.allCases.map { _ in PointInTime?.some(.never) }
  private var hasThread = false
  private var isAsleep = false
  /// The timer whose action the thread is calling.
  private var called: TimerToken?
  private(set) var counts = TimerCounts()
  /// The number of alarm changes in this sleep that no timer needs in order to be on time.
  private var optionalChanges = 0
  /// The clock whose alarm belongs to a timer that was removed during this sleep.
  private var abandoned: KernelClock?

  /// The largest number of optional alarm changes in one sleep.
  static var optionalChangeLimit: Int { 256 }
  /// The number of heap entries considered for an alarm change while a caller waits.
  static var consideredWhileArming: Int { 256 }
  /// The number of entries considered before the thread sleeps.
  static var consideredBeforeSleep: Int { 4096 }

  /// The number of timers, including those that never fire.
  var count: Int { heap.count }

  // MARK: - On any thread

  mutating func arm(_ schedule: TimerSchedule, action: consuming Action) -> TimerToken {
    heap.arm(schedule, action: action)
  }

  mutating func rearm(_ token: TimerToken, to schedule: TimerSchedule) -> Bool {
    noteDeparture(of: token)
    return heap.rearm(token, to: schedule)
  }

  /// Removes a timer.
  ///
  /// - Returns: Its action, to be released outside the lock, and whether the action is not running.
  mutating func cancel(_ token: TimerToken) -> (action: Action?, isQuiet: Bool) {
    noteDeparture(of: token)
    let action = heap.cancel(token)
    return (action, action != nil && called != token)
  }

  /// Returns the alarm that a sleeping thread needs for a new schedule, nil if the present one is
  /// right.
  mutating func alarm(for schedule: TimerSchedule) -> Alarm? {
    let clock = schedule.clock
    let alarm = alarms[clock.rawValue] ?? .never
    guard isAsleep, !schedule.time.isNever else { return nil }
    if schedule.latest >= alarm && (schedule.time <= alarm || !mayChange) { return nil }
    let last = heap.lastLook(on: clock)
    // It joins the others when it is due before the earliest end of a leeway.
    let joins = schedule.time <= last
    if schedule.latest >= alarm {
      if !joins { return nil }
      optionalChanges += 1
    }
    let look = heap.nextLook(on: clock, limit: Self.consideredWhileArming)
    return change(clock, to: joins ? max(look, schedule.time) : look)
  }

  /// Returns the earlier alarm that a sleeping thread needs after the timer of the present one was
  /// removed, nil if none is needed.
  mutating func alarmAfterDeparture() -> Alarm? {
    guard let clock = abandoned.take(), let alarm = alarms[clock.rawValue] else { return nil }
    let look = heap.nextLook(on: clock, limit: Self.consideredWhileArming)
    guard mayChange, look < alarm else { return nil }
    optionalChanges += 1
    return change(clock, to: look)
  }

  /// Records that an alarm could not be set.
  mutating func failed(_ alarm: Alarm) {
    alarms[alarm.clock.rawValue] = nil
  }

  /// Returns whether the caller has to start the thread, which counts as started from now on.
  mutating func callsForThread() -> Bool {
    if hasThread || heap.isIdle { return false }
    hasThread = true
    return true
  }

  /// Records that a thread could not be started; the next change requests one again.
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

  /// Records that the thread is about to sleep.
  ///
  /// - Returns: The alarms to be set, and whether they may never go off.
  mutating func sleep() -> (alarms: [Alarm], isIdle: Bool) {
    isAsleep = true
    optionalChanges = 0
    var changed: [Alarm] = []
    for clock in KernelClock.allCases {
      let look = heap.nextLook(on: clock, limit: Self.consideredBeforeSleep)
      if look != alarms[clock.rawValue] { changed.append(change(clock, to: look)) }
    }
    return (changed, heap.isIdle)
  }

  /// Records that the thread is awake: because of an alarm, or without one.
  ///
  /// - Returns: False when the thread ends, because its sleep had no effect and no timer is left.
  mutating func wake(by clock: KernelClock?) -> Bool {
    isAsleep = false
    counts.wakes += 1
    if let clock {
      // It stays on until it is set again: also when the new time is never, or the same time if the
      // clock went back meanwhile.
      alarms[clock.rawValue] = nil
      return true
    }
    if heap.isIdle { hasThread = false }
    return hasThread
  }

  /// Records the clock whose alarm belongs to a timer that is being removed.
  private mutating func noteDeparture(of token: TimerToken) {
    guard isAsleep, let schedule = heap.schedule(of: token), !schedule.time.isNever,
      alarms[schedule.clock.rawValue] == schedule.time
    else { return }
    abandoned = schedule.clock
  }

  /// Whether an alarm may be changed although no timer needs it in order to be on time.
  private var mayChange: Bool { optionalChanges < Self.optionalChangeLimit }

  private mutating func change(_ clock: KernelClock, to time: PointInTime) -> Alarm {
    alarms[clock.rawValue] = time
    return Alarm(clock: clock, time: time)
  }
}
