internal import SystemCalls

/// Names one timer; a later timer never has the same name.
package struct TimerToken: Hashable, Sendable {
  let slot: Int
  let generation: UInt64
}

/// All timers, and which of them are due.
///
/// For each clock there are two heaps: by the time of the next fire, which tells what is due, and
/// by the end of its leeway, which tells how long the thread may sleep. The thread looks at the
/// latest time that is not after the earliest end of a leeway, and takes everything that is due. So
/// timers whose leeways overlap cost one look, and a lone timer is not late (S94).
///
/// Most timers never fire, so it costs next to nothing to take one out: its entries stay in the
/// heaps until they come first, or are swept out when they are the greater part. With that
/// shared out, each change takes a time logarithmic in the number of timers at most. That has no
/// bound but memory, about 200 bytes each.
struct TimerHeap<Action: Sendable>: Sendable {
  private struct Slot {
    // The order of these keeps a slot within 64 bytes.
    var generation: UInt64 = 0
    var schedule: TimerSchedule
    var isEntered = false
    /// Which entries of the heaps are for the present schedule, if it has any.
    var version: UInt32 = 0
    /// What the timer does; nil while there is no timer.
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

    /// Notes that the entries of a slot are those of an earlier version; takes all such out of a
    /// heap when they are the greater part.
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

  /// A timer whose time has come.
  struct Due {
    let token: TimerToken
    let action: Action
    /// The times that have come since it was taken last.
    let fires: Int
  }

  private var slots = SegmentedArray<Slot>()
  private var free: [Int] = []
  private var heaps = KernelClock.allCases.map { _ in Heaps() }

  /// The number of timers, those that never fire among them.
  var count: Int { slots.count - free.count }

  /// The number of entries in the heaps, those of earlier schedules among them.
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

  /// Gives a timer another schedule, also one that will not fire any more; what it missed is gone.
  ///
  /// - Returns: False when there is no such timer.
  mutating func rearm(_ token: TimerToken, to schedule: TimerSchedule) -> Bool {
    guard isArmed(token) else { return false }
    leave(token.slot)
    slots[token.slot].schedule = schedule
    enter(token.slot)
    return true
  }

  /// Takes a timer out.
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
  /// A look at that time is late for no timer, and fires all that one at the leeway's end would.
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

  /// Takes the timer whose time has come first; one that fires once is gone then.
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

  /// Takes the timer out of its slot; gives what it would have done.
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

  /// Puts a slot where its schedule belongs: nowhere, if it never fires.
  private mutating func enter(_ slot: Int) {
    let schedule = slots[slot].schedule
    if schedule.time.isNever { return }
    slots[slot].isEntered = true
    heaps[schedule.clock.rawValue].add(schedule, slot: slot, version: slots[slot].version)
  }

  /// Makes the entries of a slot those of an earlier version.
  private mutating func leave(_ slot: Int) {
    guard slots[slot].isEntered else { return }
    let clock = slots[slot].schedule.clock
    slots[slot].isEntered = false
    slots[slot].version &+= 1
    heaps[clock.rawValue].lose(among: slots)
  }
}
