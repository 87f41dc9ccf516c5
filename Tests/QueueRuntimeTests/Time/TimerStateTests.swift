import IOChannelsSystem
import Testing

@testable import QueueRuntime

@Suite("Timer state")
struct TimerStateTests {
  private typealias Alarm = TimerState<String>.Alarm

  private func at(_ time: Int64, on clock: KernelClock = .uptime, every interval: Int64? = nil)
    -> TimerSchedule
  {
    TimerSchedule(
      clock: clock,
      time: PointInTime(nanoseconds: time),
      interval: interval,
      leeway: 0
    )
  }

  private func alarm(_ time: Int64, on clock: KernelClock = .uptime) -> Alarm {
    Alarm(clock: clock, time: PointInTime(nanoseconds: time))
  }

  /// A state whose thread sleeps until `time`.
  private func asleep(until time: Int64) -> (state: TimerState<String>, token: TimerToken) {
    var state = TimerState<String>()
    let token = state.arm(at(time), action: "first")
    _ = state.callsForThread()
    _ = state.sleep()
    return (state, token)
  }

  @Test("The first timer that may fire calls for the thread")
  func theFirstTimerThatMayFireCallsForTheThread() {
    var state = TimerState<String>()
    _ = state.arm(at(.max), action: "never")
    let isCalledForNothing = state.callsForThread()
    #expect(!isCalledForNothing)
    _ = state.arm(at(5), action: "five")
    let awake = state.alarm(for: at(5))
    #expect(awake == nil)
    let isCalled = state.callsForThread()
    let isCalledTwice = state.callsForThread()
    #expect(isCalled && !isCalledTwice)
    state.startFailed()
    let isCalledAgain = state.callsForThread()
    #expect(isCalledAgain)
  }

  @Test("A sleeping thread gets alarms for earlier times only")
  func aSleepingThreadGetsAlarmsForEarlierTimesOnly() {
    var (state, first) = asleep(until: 100)
    _ = state.arm(at(200), action: "later")
    let later = state.alarm(for: at(200))
    #expect(later == nil)
    _ = state.arm(at(50), action: "earlier")
    let earlier = state.alarm(for: at(50))
    #expect(earlier == alarm(50))
    let again = state.alarm(for: at(50))
    #expect(again == nil)
    _ = state.arm(at(70, on: .wall), action: "wall")
    let wall = state.alarm(for: at(70, on: .wall))
    #expect(wall == alarm(70, on: .wall))
    let isKnown = state.rearm(first, to: at(20))
    let rearmed = state.alarm(for: at(20))
    #expect(isKnown && rearmed == alarm(20))
  }

  @Test("Changes that no timer needs are bounded in one sleep")
  func changesThatNoTimerNeedsAreBoundedInOneSleep() {
    // S94
    var (state, _) = asleep(until: 100)
    func schedule(_ time: Int64) -> TimerSchedule {
      TimerSchedule(
        clock: .uptime,
        time: PointInTime(nanoseconds: time),
        interval: nil,
        leeway: 1_000_000
      )
    }
    var changes = 0
    // The alarm of 100 has no leeway, so nothing later joins it.
    _ = state.arm(schedule(101), action: "later")
    #expect(state.alarm(for: schedule(101)) == nil)
    let limit = TimerState<String>.optionalChangeLimit
    var wide = TimerState<String>()
    _ = wide.arm(schedule(0), action: "wide")
    _ = wide.callsForThread()
    _ = wide.sleep()
    for step in 1...Int64(limit) + 10 {
      _ = wide.arm(schedule(step), action: "joins")
      if wide.alarm(for: schedule(step)) == alarm(step) { changes += 1 }
    }
    #expect(changes == limit)
    // One that needs it still gets an earlier alarm, and the next sleep finds the best one.
    _ = wide.arm(at(5), action: "exact")
    #expect(wide.alarm(for: at(5)) == alarm(5))
    _ = wide.wake(by: .uptime)
    while wide.takeDue(on: .uptime, at: PointInTime(nanoseconds: 5)) != nil {}
    #expect(wide.sleep().alarms == [alarm(Int64(limit) + 10)])
  }

  @Test("A cancelled timer leaves its alarm until the thread wakes")
  func aCancelledTimerLeavesItsAlarmUntilTheThreadWakes() {
    var (state, token) = asleep(until: 100)
    _ = state.arm(at(200), action: "later")
    _ = state.cancel(token)
    let none = state.alarmAfterDeparture()
    #expect(none == nil)
    let goesOn = state.wake(by: .uptime)
    let due = state.takeDue(on: .uptime, at: PointInTime(nanoseconds: 100))
    #expect(goesOn && due == nil)
    let (alarms, isIdle) = state.sleep()
    #expect(alarms == [alarm(200)] && !isIdle)
  }

  @Test("An alarm is set again when the clock was set back")
  func anAlarmIsSetAnewWhenTheClockWentBackBehindIt() {
    // S96, F23
    var state = TimerState<String>()
    _ = state.arm(at(100, on: .wall), action: "wall")
    _ = state.callsForThread()
    let first = state.sleep().alarms
    #expect(first == [alarm(100, on: .wall)])
    let goesOn = state.wake(by: .wall)
    let due = state.takeDue(on: .wall, at: PointInTime(nanoseconds: 40))
    #expect(goesOn && due == nil)
    let second = state.sleep().alarms
    #expect(second == [alarm(100, on: .wall)])
    // Without an alarm in between, it is still set.
    _ = state.wake(by: nil)
    let third = state.sleep().alarms
    #expect(third.isEmpty)
  }

  @Test("An armed alarm is disarmed when no timer follows")
  func anAlarmThatIsOnIsSetToNeverWhenNothingFollows() {
    var (state, _) = asleep(until: 100)
    _ = state.wake(by: .uptime)
    _ = state.takeDue(on: .uptime, at: PointInTime(nanoseconds: 100))
    let (alarms, isIdle) = state.sleep()
    #expect(alarms == [Alarm(clock: .uptime, time: .never)] && isIdle)
  }

  @Test("An alarm that could not be set is tried again")
  func anAlarmThatCouldNotBeSetIsTriedAgain() {
    var (state, _) = asleep(until: 100)
    state.failed(alarm(100))
    let again = state.alarm(for: at(100))
    #expect(again == alarm(100))
    state.failed(alarm(100))
    let goesOn = state.wake(by: nil)
    let alarms = state.sleep().alarms
    #expect(goesOn && alarms == [alarm(100)])
  }

  @Test("The thread ends after a sleep if nothing is armed")
  func theThreadEndsWhenItSleptInVainAndNothingIsArmed() {
    var (state, token) = asleep(until: 100)
    let goesOn = state.wake(by: nil)
    #expect(goesOn)
    _ = state.cancel(token)
    let isIdle = state.sleep().isIdle
    let goesOnByAlarm = state.wake(by: .uptime)
    #expect(isIdle && goesOnByAlarm)
    _ = state.sleep()
    let goesOnWithNothing = state.wake(by: nil)
    #expect(!goesOnWithNothing)
    _ = state.arm(at(5), action: "new")
    let isCalled = state.callsForThread()
    #expect(isCalled)
  }

  @Test("A timer armed during the last sleep keeps the thread")
  func aTimerArmedDuringTheLastSleepKeepsTheThread() {
    var (state, token) = asleep(until: 100)
    _ = state.wake(by: .uptime)
    _ = state.cancel(token)
    let isIdle = state.sleep().isIdle
    _ = state.arm(at(300), action: "late")
    let set = state.alarm(for: at(300))
    let isCalled = state.callsForThread()
    #expect(isIdle && set == alarm(300) && !isCalled)
    let goesOn = state.wake(by: nil)
    #expect(goesOn)
  }

  @Test("A cancellation returns whether the action is being called")
  func cancellationTellsWhetherTheActionIsBeingCalled() {
    // S97
    var (state, once) = asleep(until: 100)
    let repeating = state.arm(at(100, every: 10), action: "repeating")
    let other = state.arm(at(500), action: "other")
    _ = state.wake(by: .uptime)
    let now = PointInTime(nanoseconds: 100)
    var actions: [String] = []
    var answers: [Bool] = []
    while let (action, fires) = state.takeDue(on: .uptime, at: now) {
      #expect(fires == 1)
      actions.append(action)
      let token = action == "first" ? once : repeating
      answers.append(state.cancel(token).isQuiet)
    }
    #expect(actions.sorted() == ["first", "repeating"])
    #expect(answers == [false, false])
    let unarmed = state.cancel(repeating)
    #expect(unarmed.action == nil && !unarmed.isQuiet)
    let armed = state.cancel(other)
    #expect(armed.action == "other" && armed.isQuiet)
    #expect(state.count == 0)
  }

  @Test("A repeating timer is quiet between its calls")
  func aRepeatingTimerIsQuietBetweenItsCalls() {
    var state = TimerState<String>()
    let token = state.arm(at(0, every: 10), action: "repeating")
    let now = PointInTime(nanoseconds: 35)
    let due = state.takeDue(on: .uptime, at: now)
    #expect(due?.fires == 4)
    let none = state.takeDue(on: .uptime, at: now)
    #expect(none == nil)
    let cancelled = state.cancel(token)
    #expect(cancelled.isQuiet)
  }

  @Test("Wakes and fires are counted")
  func countsWakesAndFires() {
    var (state, _) = asleep(until: 100)
    #expect(state.counts == TimerCounts())
    _ = state.wake(by: .uptime)
    _ = state.takeDue(on: .uptime, at: PointInTime(nanoseconds: 100))
    _ = state.takeDue(on: .uptime, at: PointInTime(nanoseconds: 100))
    #expect(state.counts.wakes == 1 && state.counts.fires == 1)
  }
}
