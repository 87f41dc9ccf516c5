import Testing

@testable import EventSources
@testable import QueueRuntime

@Suite("Timer source state")
struct TimerSourceStateTests {
  private func schedule(_ time: Int64, every interval: Int64? = nil) -> TimerSchedule {
    TimerSchedule(
      clock: .uptime,
      time: PointInTime(nanoseconds: time),
      interval: interval,
      leeway: 0
    )
  }

  private func point(_ time: Int64) -> PointInTime { PointInTime(nanoseconds: time) }

  @Test("Nothing is armed before the start and after the stop")
  func phases() {
    var state = TimerSourceState()
    let early = state.set(schedule(10)).armed
    #expect(early == nil)
    let fire = state.start().armed
    #expect(fire?.schedule.time == point(10))
    _ = state.stop()
    let fired = state.fired(fire?.number ?? 0)
    let late = state.set(schedule(20)).armed
    let latched = state.latch(at: point(30))
    #expect(!fired && late == nil && latched == nil)
  }

  @Test("A fire of a former schedule is ignored, and its arming is taken back")
  func former() {
    var state = TimerSourceState()
    _ = state.start()
    let old = state.set(schedule(10)).armed
    let new = state.set(schedule(20)).armed
    let oldFired = state.fired(old?.number ?? 0)
    #expect(!oldFired)
    if let old {
      var service = TimerHeap<Int>()
      let isCurrent = state.armed(old, as: service.arm(old.schedule, action: 0))
      #expect(!isCurrent)
    }
    let newFired = state.fired(new?.number ?? 0)
    #expect(newFired)
  }

  @Test("A delivery counts the fires until then and arms one more")
  func counting() {
    var state = TimerSourceState()
    _ = state.set(schedule(100, every: 10))
    let first = state.start().armed
    let early = state.latch(at: point(135))
    #expect(early == nil, "no fire has come")
    let fired = state.fired(first?.number ?? 0)
    let latched = state.latch(at: point(135))
    #expect(fired && latched?.fires == 4)
    #expect(latched?.change.armed?.schedule.time == point(140))
    // The service would go on for ever with a fire that repeats, also after a cancellation.
    #expect(first?.schedule.interval == nil && latched?.change.armed?.schedule.interval == nil)
    let second = state.set(schedule(200)).armed
    let replaced = state.latch(at: point(300))
    #expect(replaced == nil, "the fire is not that of the schedule")
    let firedAgain = state.fired(second?.number ?? 0)
    let last = state.latch(at: point(200))
    let none = state.latch(at: point(300))
    #expect(firedAgain && last?.fires == 1 && none == nil)
  }

  @Test("A fire whose clock was set back before the delivery is armed again")
  func setBack() {
    for interval in [nil, 10] as [Int64?] {
      var state = TimerSourceState()
      _ = state.set(schedule(100, every: interval))
      let first = state.start().armed
      let fired = state.fired(first?.number ?? 0)
      let early = state.latch(at: point(50))
      #expect(fired && early?.fires == 0)
      #expect(early?.change.armed?.schedule.time == point(100))
      let firedAgain = state.fired(early?.change.armed?.number ?? 0)
      let latched = state.latch(at: point(100))
      #expect(firedAgain && latched?.fires == 1)
    }
  }
}
