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
/// Before the thread sleeps it sets the alarm of each clock to the next look (S94), so an awake
/// thread needs no notice. While it sleeps, a timer that comes or goes sets the alarm anew in three
/// cases:
///
/// - A new timer's leeway ends before the alarm. It always gets an earlier alarm.
/// - A new timer can be fired with the others by a later alarm.
/// - The timer that the alarm was set to has gone, and others need not wait for it any more.
///
/// The last two save a wake or a delay, and cost a system call each. So only a bounded number of
/// them is made in one sleep; behind that, timers fire within their leeways, at the price of a
/// second wake. A timer that was cancelled otherwise leaves its alarm, at the price of a look in
/// vain.
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
  /// The changes of alarms in this sleep that no timer needs in order to be in time.
  private var optionalChanges = 0
  /// The clock whose alarm was set to a timer that has gone during this sleep.
  private var abandoned: KernelClock?

  /// The most optional changes of alarms in one sleep.
  static var optionalChangeLimit: Int { 256 }
  /// The entries of the heap considered for a change of an alarm, where a caller waits for it.
  static var consideredWhileArming: Int { 256 }
  /// The entries considered before the thread sleeps.
  static var consideredBeforeSleep: Int { 4096 }

  /// The number of timers, those that never fire among them.
  var count: Int { heap.count }

  // MARK: - On any thread

  mutating func arm(_ schedule: TimerSchedule, action: consuming Action) -> TimerToken {
    heap.arm(schedule, action: action)
  }

  mutating func rearm(_ token: TimerToken, to schedule: TimerSchedule) -> Bool {
    noteDeparture(of: token)
    return heap.rearm(token, to: schedule)
  }

  /// Takes a timer out.
  ///
  /// - Returns: Its action, to be let go of outside the lock, and whether that is not being called.
  mutating func cancel(_ token: TimerToken) -> (action: Action?, isQuiet: Bool) {
    noteDeparture(of: token)
    let action = heap.cancel(token)
    return (action, action != nil && called != token)
  }

  /// Returns the alarm that a sleeping thread gets for a new schedule, nil if the present one is
  /// right.
  mutating func alarm(for schedule: TimerSchedule) -> Alarm? {
    let clock = schedule.clock
    let alarm = alarms[clock.rawValue] ?? .never
    guard isAsleep, !schedule.time.isNever else { return nil }
    if schedule.latest >= alarm && (schedule.time <= alarm || !mayChange) { return nil }
    let last = heap.lastLook(on: clock)
    // It joins the others where it comes before the earliest end of a leeway.
    let joins = schedule.time <= last
    if schedule.latest >= alarm {
      if !joins { return nil }
      optionalChanges += 1
    }
    let look = heap.nextLook(on: clock, limit: Self.consideredWhileArming)
    let own = joins ? schedule.time : last
    return change(clock, to: joins ? max(look ?? own, own) : look ?? own)
  }

  /// Returns the earlier alarm that a sleeping thread gets when the timer of the present one has
  /// gone, nil if there is no cause for one.
  mutating func alarmAfterDeparture() -> Alarm? {
    guard let clock = abandoned.take(), let alarm = alarms[clock.rawValue] else { return nil }
    guard mayChange,
      let look = heap.nextLook(on: clock, limit: Self.consideredWhileArming), look < alarm
    else { return nil }
    optionalChanges += 1
    return change(clock, to: look)
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
    optionalChanges = 0
    var changed: [Alarm] = []
    for clock in KernelClock.allCases {
      let look =
        heap.nextLook(on: clock, limit: Self.consideredBeforeSleep)
        ?? heap.lastLook(on: clock)
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

  /// Notes the clock whose alarm is for the time of a timer that goes.
  private mutating func noteDeparture(of token: TimerToken) {
    guard isAsleep, let schedule = heap.schedule(of: token), !schedule.time.isNever,
      alarms[schedule.clock.rawValue] == schedule.time
    else { return }
    abandoned = schedule.clock
  }

  /// Whether an alarm may be changed although no timer needs it in order to be in time.
  private var mayChange: Bool { optionalChanges < Self.optionalChangeLimit }

  private mutating func change(_ clock: KernelClock, to time: PointInTime) -> Alarm {
    alarms[clock.rawValue] = time
    return Alarm(clock: clock, time: time)
  }
}
