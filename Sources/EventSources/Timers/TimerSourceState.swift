/// The schedule of a timer source, and whether the timer service has its next fire.
///
/// One fire is armed at a time. It is armed when the schedule is set and when a fire is delivered,
/// so that a slow or suspended handler costs no wakes.
struct TimerSourceState: Sendable {
  /// A change of the fire that the timer service has.
  struct Change: Sendable {
    /// The fire to cancel.
    var cancelled: TimerToken?
    /// The fire to arm.
    var armed: Fire?
  }

  /// A fire of one schedule.
  struct Fire: Sendable {
    /// The schedule of this fire alone: the timer service must not repeat it.
    let schedule: TimerSchedule
    /// The number of the fire: an earlier one that arrives late is ignored.
    let number: UInt64
  }

  private var schedule: TimerSchedule?
  private var isStarted = false
  private var isStopped = false
  /// Whether a fire of the schedule has come that is not delivered yet.
  private var hasFired = false
  private var number: UInt64 = 0
  private var token: TimerToken?

  /// Replaces the schedule; fires of the former one that are not delivered yet are dropped.
  mutating func set(_ schedule: TimerSchedule) -> Change {
    self.schedule = schedule
    hasFired = false
    return armNext()
  }

  /// Begins to fire.
  mutating func start() -> Change {
    isStarted = true
    return armNext()
  }

  /// Ends all fires.
  mutating func stop() -> TimerToken? {
    isStopped = true
    number += 1
    return token.take()
  }

  /// Notes that the timer service has a fire.
  ///
  /// - Returns: False if the fire was replaced meanwhile, so that it has to be cancelled.
  mutating func armed(_ fire: Fire, as token: TimerToken) -> Bool {
    guard fire.number == number else { return false }
    self.token = token
    return true
  }

  /// Notes that a fire has come; false for one of a former schedule.
  mutating func fired(_ number: UInt64) -> Bool {
    guard number == self.number, !isStopped else { return false }
    token = nil
    hasFired = true
    return true
  }

  /// The clock of the schedule.
  var clock: KernelClock? { schedule?.clock }

  /// Counts the fires until now and arms the next one.
  ///
  /// - Returns: Nil if none has come, as the schedule was replaced. 0 if a wall clock was set back.
  mutating func latch(at now: PointInTime) -> (fires: Int, change: Change)? {
    guard hasFired, !isStopped, let time = schedule?.time else { return nil }
    hasFired = false
    let fires = time <= now ? schedule?.fire(at: now) ?? 0 : 0
    return (fires, armNext())
  }

  private mutating func armNext() -> Change {
    guard isStarted, !isStopped, let schedule else { return Change() }
    number += 1
    let fire = schedule.time.isNever ? nil : Fire(schedule: schedule.nextFire, number: number)
    return Change(cancelled: token.take(), armed: fire)
  }
}
