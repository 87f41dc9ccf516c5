internal import SystemCalls

/// Names one timer; a later timer never has the same name.
package struct TimerToken: Hashable, Sendable {
  let slot: Int
  let generation: UInt64
}

/// All timers, and which of them are due.
///
/// For each clock there are two heaps: by the time of the next fire, which says what is due, and by
/// the end of its leeway, which says when somebody has to look. Whoever looks then takes
/// everything that is due, so timers whose leeways overlap cost one look (S94). All changes take a
/// time logarithmic in the number of timers; that has no bound but memory, about 100 bytes each.
struct TimerHeap<Action: Sendable>: Sendable {
  private struct Timer {
    var schedule: TimerSchedule
    let action: Action
  }

  private struct Slot {
    var generation: UInt64 = 0
    var timer: Timer?
  }

  private struct Heaps {
    var byTime = SlotHeap()
    var byLatest = SlotHeap()
  }

  /// A timer whose time has come.
  struct Due {
    let token: TimerToken
    let action: Action
    /// The times that have come since it was taken last.
    let fires: Int
  }

  private var slots: [Slot] = []
  private var free: [Int] = []
  private var heaps = KernelClock.allCases.map { _ in Heaps() }

  /// The number of timers, those that never fire among them.
  var count: Int { slots.count - free.count }

  /// Whether no timer will fire.
  var isIdle: Bool { heaps.allSatisfy { $0.byTime.count == 0 } }

  /// Adds a timer.
  mutating func arm(_ schedule: TimerSchedule, action: Action) -> TimerToken {
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(Slot()) }
    slots[slot].timer = Timer(schedule: schedule, action: action)
    enter(schedule, slot)
    return TimerToken(slot: slot, generation: slots[slot].generation)
  }

  /// Gives a timer another schedule, also one that will not fire any more; what it missed is gone.
  ///
  /// - Returns: False when there is no such timer.
  mutating func rearm(_ token: TimerToken, to schedule: TimerSchedule) -> Bool {
    guard let timer = self[token] else { return false }
    if timer.schedule.clock != schedule.clock { leave(timer.schedule.clock, token.slot) }
    slots[token.slot].timer?.schedule = schedule
    enter(schedule, token.slot)
    return true
  }

  /// Takes a timer out.
  ///
  /// - Returns: Its action, nil when there is no such timer.
  mutating func cancel(_ token: TimerToken) -> Action? {
    guard let timer = self[token] else { return nil }
    leave(timer.schedule.clock, token.slot)
    vacate(token.slot)
    return timer.action
  }

  /// When somebody has to look so that no fire is later than its leeway.
  func nextLook(on clock: KernelClock) -> PointInTime {
    heaps[clock.rawValue].byLatest.first.map { PointInTime(nanoseconds: $0.key) } ?? .never
  }

  /// Takes the timer whose time has come first; one that fires once is gone then.
  mutating func takeDue(on clock: KernelClock, at now: PointInTime) -> Due? {
    guard let (slot, time) = heaps[clock.rawValue].byTime.first, time <= now.nanoseconds,
      var timer = slots[slot].timer
    else { return nil }
    let fires = timer.schedule.fire(at: now)
    let token = TimerToken(slot: slot, generation: slots[slot].generation)
    if timer.schedule.interval == nil {
      leave(clock, slot)
      vacate(slot)
    } else {
      slots[slot].timer = timer
      enter(timer.schedule, slot)
    }
    return Due(token: token, action: timer.action, fires: fires)
  }

  private subscript(token: TimerToken) -> Timer? {
    guard slots.indices.contains(token.slot) else { return nil }
    let slot = slots[token.slot]
    return slot.generation == token.generation ? slot.timer : nil
  }

  private mutating func vacate(_ slot: Int) {
    slots[slot].timer = nil
    slots[slot].generation += 1
    free.append(slot)
  }

  /// Puts a slot where its schedule belongs: nowhere, if it never fires.
  private mutating func enter(_ schedule: TimerSchedule, _ slot: Int) {
    if schedule.time.isNever { return leave(schedule.clock, slot) }
    heaps[schedule.clock.rawValue].byTime.set(slot, to: schedule.time.nanoseconds)
    heaps[schedule.clock.rawValue].byLatest.set(slot, to: schedule.latest.nanoseconds)
  }

  private mutating func leave(_ clock: KernelClock, _ slot: Int) {
    heaps[clock.rawValue].byTime.remove(slot)
    heaps[clock.rawValue].byLatest.remove(slot)
  }
}
