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
/// everything that is due, so timers whose leeways overlap cost one look (S94).
///
/// Most timers never fire, so it costs next to nothing to take one out: its entries stay in the
/// heaps until they come first, or are swept out when they are the greater part. With that
/// shared out, each change takes a time logarithmic in the number of timers at most. That has no
/// bound but memory, about 200 bytes each.
struct TimerHeap<Action: Sendable>: Sendable {
  private struct Timer {
    var schedule: TimerSchedule
    let action: Action
  }

  private struct Slot {
    var generation: UInt64 = 0
    var timer: Timer?
    /// Which entries of the heaps are for the present schedule, if it has any.
    var version: UInt32 = 0
    var isEntered = false
  }

  private struct Heaps {
    var byTime = KeyHeap()
    var byLatest = KeyHeap()
    /// The number of slots that have an entry in each heap.
    var slots = 0
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

  /// The number of entries in the heaps, those of earlier schedules among them.
  var entries: Int { heaps.reduce(0) { $0 + $1.byTime.count + $1.byLatest.count } }

  /// Whether no timer will fire.
  var isIdle: Bool { heaps.allSatisfy { $0.slots == 0 } }

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
    leave(timer.schedule.clock, token.slot)
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
  mutating func nextLook(on clock: KernelClock) -> PointInTime {
    while let entry = heaps[clock.rawValue].byLatest.first {
      if isCurrent(entry) { return PointInTime(nanoseconds: entry.key) }
      heaps[clock.rawValue].byLatest.removeFirst()
    }
    return .never
  }

  /// Takes the timer whose time has come first; one that fires once is gone then.
  mutating func takeDue(on clock: KernelClock, at now: PointInTime) -> Due? {
    while let entry = heaps[clock.rawValue].byTime.first, entry.key <= now.nanoseconds {
      let slot = Int(entry.slot)
      guard isCurrent(entry), var timer = slots[slot].timer else {
        heaps[clock.rawValue].byTime.removeFirst()
        continue
      }
      let fires = timer.schedule.fire(at: now)
      let token = TimerToken(slot: slot, generation: slots[slot].generation)
      leave(clock, slot)
      if timer.schedule.interval == nil {
        vacate(slot)
      } else {
        slots[slot].timer = timer
        enter(timer.schedule, slot)
      }
      return Due(token: token, action: timer.action, fires: fires)
    }
    return nil
  }
}

extension TimerHeap {
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

  private func isCurrent(_ entry: KeyHeap.Entry) -> Bool {
    Self.isCurrent(entry, in: slots)
  }

  private static func isCurrent(_ entry: KeyHeap.Entry, in slots: [Slot]) -> Bool {
    let slot = Int(entry.slot)
    return slots[slot].isEntered && slots[slot].version == entry.version
  }

  /// Puts a slot where its schedule belongs: nowhere, if it never fires.
  private mutating func enter(_ schedule: TimerSchedule, _ slot: Int) {
    if schedule.time.isNever { return }
    slots[slot].isEntered = true
    let version = slots[slot].version
    func entry(_ point: PointInTime) -> KeyHeap.Entry {
      KeyHeap.Entry(key: point.nanoseconds, slot: UInt32(slot), version: version)
    }
    heaps[schedule.clock.rawValue].slots += 1
    heaps[schedule.clock.rawValue].byTime.add(entry(schedule.time))
    heaps[schedule.clock.rawValue].byLatest.add(entry(schedule.latest))
  }

  /// Makes the entries of a slot those of an earlier version.
  private mutating func leave(_ clock: KernelClock, _ slot: Int) {
    guard slots[slot].isEntered else { return }
    slots[slot].isEntered = false
    slots[slot].version &+= 1
    heaps[clock.rawValue].slots -= 1
    let limit = 2 * heaps[clock.rawValue].slots + 64
    let isStale = { [slots] in !Self.isCurrent($0, in: slots) }
    if heaps[clock.rawValue].byTime.count > limit {
      heaps[clock.rawValue].byTime.removeAll(where: isStale)
    }
    if heaps[clock.rawValue].byLatest.count > limit {
      heaps[clock.rawValue].byLatest.removeAll(where: isStale)
    }
  }
}
