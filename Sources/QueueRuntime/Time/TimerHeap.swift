internal import IOChannelsLocks
internal import IOChannelsSystem

/// The name of one timer; a later timer never has the same name.
package struct TimerToken: Hashable, Sendable {
  let slot: Int
  let generation: UInt64
}

/// All timers, and the selection of those that are due.
///
/// Each clock has two heaps: by the time of the next fire, which yields the due timers, and by the
/// end of its leeway, which yields the time until which the thread may sleep. The thread wakes at
/// the latest time that is not after the earliest end of a leeway, and takes everything that is
/// due. So timers whose leeways overlap share one wake, and a lone timer is not late (S94).
///
/// Each change takes O(log timers). The number of timers is bounded only by memory, about 120 bytes
/// each.
struct TimerHeap<Action: Sendable>: Sendable {
  private struct Slot {
    var generation: UInt64 = 0
    var schedule: TimerSchedule
    /// The action of the timer; nil while there is no timer.
    var action: Action?
  }

  private struct Heaps {
    var byTime = KeyHeap()
    var byLatest = KeyHeap()
  }

  /// A timer that is due.
  struct Due {
    let token: TimerToken
    let action: Action
    /// The number of times that have come since the timer was last taken.
    let fires: Int
  }

  private var slots = SegmentedArray<Slot>()
  private var free: [Int] = []
  private var heaps = KernelClock.allCases.map { _ in Heaps() }

  /// The number of timers, including those that never fire.
  var count: Int { slots.count - free.count }

  /// The number of entries in the heaps.
  var entries: Int { heaps.reduce(0) { $0 + $1.byTime.count + $1.byLatest.count } }

  /// Whether no timer will fire.
  var isIdle: Bool { heaps.allSatisfy { $0.byTime.count == 0 } }

  /// Adds a timer.
  mutating func arm(_ schedule: TimerSchedule, action: consuming Action) -> TimerToken {
    let slot = free.popLast() ?? slots.count
    if slot == slots.count {
      slots.append(Slot(schedule: schedule, action: action))
    } else {
      slots[slot].schedule = schedule
      slots[slot].action = action
    }
    enter(slot)
    return TimerToken(slot: slot, generation: slots[slot].generation)
  }

  /// Sets another schedule for a timer, also one that never fires; missed fires are dropped.
  ///
  /// - Returns: False when there is no such timer.
  mutating func rearm(_ token: TimerToken, to schedule: TimerSchedule) -> Bool {
    guard isArmed(token) else { return false }
    leave(token.slot)
    slots[token.slot].schedule = schedule
    enter(token.slot)
    return true
  }

  /// Removes a timer.
  ///
  /// - Returns: Its action, nil when there is no such timer.
  mutating func cancel(_ token: TimerToken) -> Action? {
    guard isArmed(token) else { return nil }
    leave(token.slot)
    return vacate(token.slot)
  }

  /// Returns the earliest end of a leeway, never if no timer fires.
  func lastLook(on clock: KernelClock) -> PointInTime {
    heaps[clock.rawValue].byLatest.first.map { PointInTime(nanoseconds: $0.key) } ?? .never
  }

  /// Returns the latest time of a timer that is not after the earliest end of a leeway.
  ///
  /// A wake at that time is late for no timer, and fires all timers that a wake at the leeway's end
  /// would fire.
  ///
  /// - Parameters:
  ///   - clock: The clock of the timers.
  ///   - limit: The number of entries that are considered. Where more are due by then, the result
  ///     may be the time of an earlier one.
  /// - Returns: The time, never if no timer fires.
  func nextLook(on clock: KernelClock, limit: Int = .max) -> PointInTime {
    let last = lastLook(on: clock).nanoseconds
    let time = heaps[clock.rawValue].byTime.largestKey(upTo: last, limit: limit)
    return time.map { PointInTime(nanoseconds: $0) } ?? .never
  }

  /// Returns the schedule of a timer, nil when there is no such timer.
  func schedule(of token: TimerToken) -> TimerSchedule? {
    isArmed(token) ? slots[token.slot].schedule : nil
  }

  /// Takes the timer that is due first; one that fires once is removed.
  mutating func takeDue(on clock: KernelClock, at now: PointInTime) -> Due? {
    guard let (key, slot) = heaps[clock.rawValue].byTime.first, key <= now.nanoseconds,
      let action = slots[slot].action
    else { return nil }
    let token = TimerToken(slot: slot, generation: slots[slot].generation)
    leave(slot)
    let fires = slots[slot].schedule.fire(at: now)
    if slots[slot].schedule.interval != nil { enter(slot) } else { _ = vacate(slot) }
    return Due(token: token, action: action, fires: fires)
  }
}

extension TimerHeap {
  private func isArmed(_ token: TimerToken) -> Bool {
    token.slot < slots.count && slots[token.slot].generation == token.generation
      && slots[token.slot].action != nil
  }

  /// Removes the timer from its slot and returns its action.
  private mutating func vacate(_ slot: Int) -> Action? {
    slots[slot].generation += 1
    free.append(slot)
    return slots[slot].action.take()
  }

  /// Adds a slot to the heaps, unless its timer never fires.
  private mutating func enter(_ slot: Int) {
    let schedule = slots[slot].schedule
    if schedule.time.isNever { return }
    heaps[schedule.clock.rawValue].byTime.add(slot, key: schedule.time.nanoseconds)
    heaps[schedule.clock.rawValue].byLatest.add(slot, key: schedule.latest.nanoseconds)
  }

  /// Removes a slot from the heaps.
  private mutating func leave(_ slot: Int) {
    let schedule = slots[slot].schedule
    if schedule.time.isNever { return }
    heaps[schedule.clock.rawValue].byTime.remove(slot)
    heaps[schedule.clock.rawValue].byLatest.remove(slot)
  }
}
