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
/// Most timers never fire, so removal is cheap: the entries of a removed timer stay in the heaps
/// until they come first, or are swept out when they are the greater part. Each change takes
/// amortised O(log timers). The number of timers is bounded only by memory, about 200 bytes each.
struct TimerHeap<Action: Sendable>: Sendable {
  private struct Slot {
    // The order of these fields keeps a slot within 64 bytes.
    var generation: UInt64 = 0
    var schedule: TimerSchedule
    var isEntered = false
    /// The version of the heap entries for the present schedule, if it has any.
    var version: UInt32 = 0
    /// The action of the timer; nil while there is no timer.
    var action: Action?
  }

  private struct Heaps {
    var byTime = KeyHeap()
    var byLatest = KeyHeap()
    /// The number of slots that have an entry in each heap.
    var slots = 0

    mutating func add(_ schedule: TimerSchedule, slot: Int, version: UInt32) {
      func entry(_ point: PointInTime) -> KeyHeap.Entry {
        KeyHeap.Entry(key: point.nanoseconds, slot: UInt32(slot), version: version)
      }
      slots += 1
      byTime.add(entry(schedule.time))
      byLatest.add(entry(schedule.latest))
    }

    /// Counts the entries of a slot as outdated; removes all outdated entries from a heap when they
    /// are the greater part.
    mutating func lose(among all: SegmentedArray<Slot>) {
      slots -= 1
      let limit = 2 * slots + 64
      if byTime.count > limit { byTime.removeAll { !TimerHeap.isCurrent($0, in: all) } }
      if byLatest.count > limit { byLatest.removeAll { !TimerHeap.isCurrent($0, in: all) } }
    }

    mutating func lastLook(among all: SegmentedArray<Slot>) -> PointInTime {
      while let entry = byLatest.first {
        if TimerHeap.isCurrent(entry, in: all) { return PointInTime(nanoseconds: entry.key) }
        byLatest.removeFirst()
      }
      return .never
    }

    mutating func nextLook(among all: SegmentedArray<Slot>, limit: Int) -> PointInTime? {
      let last = lastLook(among: all)
      if last.isNever { return last }
      return byTime.largestKey(upTo: last.nanoseconds, limit: limit) { entry in
        TimerHeap.isCurrent(entry, in: all)
      }.map { PointInTime(nanoseconds: $0) }
    }
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

  /// The number of entries in the heaps, including those of earlier schedules.
  var entries: Int { heaps.reduce(0) { $0 + $1.byTime.count + $1.byLatest.count } }

  /// Whether no timer will fire.
  var isIdle: Bool { heaps.allSatisfy { $0.slots == 0 } }

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
  mutating func lastLook(on clock: KernelClock) -> PointInTime {
    heaps[clock.rawValue].lastLook(among: slots)
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
  /// - Returns: The time, never if no timer fires; nil if no armed timer was among those
  ///   considered.
  mutating func nextLook(on clock: KernelClock, limit: Int = .max) -> PointInTime? {
    heaps[clock.rawValue].nextLook(among: slots, limit: limit)
  }

  /// Returns the schedule of a timer, nil when there is no such timer.
  func schedule(of token: TimerToken) -> TimerSchedule? {
    isArmed(token) ? slots[token.slot].schedule : nil
  }

  /// Takes the timer that is due first; one that fires once is removed.
  mutating func takeDue(on clock: KernelClock, at now: PointInTime) -> Due? {
    while let entry = heaps[clock.rawValue].byTime.first, entry.key <= now.nanoseconds {
      let slot = Int(entry.slot)
      guard isCurrent(entry), let action = slots[slot].action else {
        heaps[clock.rawValue].byTime.removeFirst()
        continue
      }
      let token = TimerToken(slot: slot, generation: slots[slot].generation)
      leave(slot)
      let fires = slots[slot].schedule.fire(at: now)
      if slots[slot].schedule.interval != nil { enter(slot) } else { _ = vacate(slot) }
      return Due(token: token, action: action, fires: fires)
    }
    return nil
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

  private func isCurrent(_ entry: KeyHeap.Entry) -> Bool {
    Self.isCurrent(entry, in: slots)
  }

  private static func isCurrent(_ entry: KeyHeap.Entry, in slots: SegmentedArray<Slot>) -> Bool {
    let slot = Int(entry.slot)
    return slots[slot].isEntered && slots[slot].version == entry.version
  }

  /// Adds the entries of a slot to the heaps, unless its timer never fires.
  private mutating func enter(_ slot: Int) {
    let schedule = slots[slot].schedule
    if schedule.time.isNever { return }
    slots[slot].isEntered = true
    heaps[schedule.clock.rawValue].add(schedule, slot: slot, version: slots[slot].version)
  }

  /// Makes the entries of a slot outdated.
  private mutating func leave(_ slot: Int) {
    guard slots[slot].isEntered else { return }
    let clock = slots[slot].schedule.clock
    slots[slot].isEntered = false
    slots[slot].version &+= 1
    heaps[clock.rawValue].lose(among: slots)
  }
}
