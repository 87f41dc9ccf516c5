import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

/// The timers as a plain list, in which everything is looked up from the start to the end.
private struct TimerList {
  var timers: [Int: (token: TimerToken, schedule: TimerSchedule)] = [:]

  func nextLook(on clock: KernelClock) -> PointInTime {
    let schedules = timers.values.map(\.schedule).filter { $0.clock == clock }
    guard let last = schedules.map(\.latest).min(), !last.isNever else { return .never }
    return schedules.map(\.time).filter { $0 <= last }.max() ?? .never
  }

  func firstDue(on clock: KernelClock, at now: PointInTime) -> PointInTime? {
    let times = timers.values.filter { $0.schedule.clock == clock }.map(\.schedule.time)
    return times.filter { $0 <= now }.min()
  }

  mutating func fire(_ number: Int, at now: PointInTime) -> Int {
    guard var timer = timers[number] else { return 0 }
    let fires = timer.schedule.fire(at: now)
    timers[number] = timer.schedule.interval == nil ? nil : timer
    return fires
  }
}

@Suite("Timer heap")
struct TimerHeapTests {
  private func once(_ time: Int64, leeway: Int64 = 0, on clock: KernelClock = .uptime)
    -> TimerSchedule
  {
    TimerSchedule(
      clock: clock,
      time: PointInTime(nanoseconds: time),
      interval: nil,
      leeway: leeway
    )
  }

  private static func schedule(using random: inout SeededGenerator) -> TimerSchedule {
    let interval = random.chance(percent: 40) ? Int64(random.number(in: 1..<50)) : nil
    let isNever = random.chance(percent: 5)
    return TimerSchedule(
      clock: KernelClock.allCases.randomElement(using: &random) ?? .uptime,
      time: isNever ? .never : PointInTime(nanoseconds: Int64(random.number(in: 0..<300))),
      interval: interval,
      leeway: Int64(random.number(in: 0..<40))
    )
  }

  @Test("Random changes agree with a list")
  func agreesWithAList() {
    var random = SeededGenerator()
    var heap = TimerHeap<Int>()
    var list = TimerList()
    var gone: [TimerToken] = []
    var fired = 0
    for number in 0..<Tier.count(quick: 6_000, full: 300_000) {
      let known = list.timers.keys.sorted().randomElement(using: &random)
      switch random.number(in: 0..<10) {
      case 0..<4 where list.timers.count < 60:
        let schedule = Self.schedule(using: &random)
        list.timers[number] = (heap.arm(schedule, action: number), schedule)
      case 4..<6:
        guard let known, let timer = list.timers.removeValue(forKey: known) else { continue }
        let action = heap.cancel(timer.token)
        #expect(action == known)
        gone.append(timer.token)
      case 6:
        guard let known, let timer = list.timers[known] else { continue }
        let schedule = Self.schedule(using: &random)
        let isKnown = heap.rearm(timer.token, to: schedule)
        #expect(isKnown)
        list.timers[known] = (timer.token, schedule)
      case 7:
        guard let token = gone.randomElement(using: &random) else { continue }
        let action = heap.cancel(token)
        let isKnown = heap.rearm(token, to: Self.schedule(using: &random))
        #expect(action == nil && !isKnown)
      default:
        let now = PointInTime(nanoseconds: Int64(random.number(in: 0..<400)))
        for clock in KernelClock.allCases {
          let expected = list.firstDue(on: clock, at: now)
          let due = heap.takeDue(on: clock, at: now)
          #expect((due == nil) == (expected == nil))
          guard let due, let timer = list.timers[due.action] else { continue }
          #expect(timer.token == due.token && timer.schedule.time == expected)
          let fires = list.fire(due.action, at: now)
          #expect(fires == due.fires)
          if list.timers[due.action] == nil { gone.append(due.token) }
          fired += 1
        }
      }
      #expect(heap.count == list.timers.count)
      let armed = list.timers.values.count { !$0.schedule.time.isNever }
      #expect(heap.entries == 2 * armed)
      #expect(heap.isIdle == list.timers.values.allSatisfy { $0.schedule.time.isNever })
      for clock in KernelClock.allCases {
        let look = heap.nextLook(on: clock)
        #expect(look == list.nextLook(on: clock))
      }
    }
    #expect(fired > 300)
  }

  @Test("The heap is checked as seldom as the leeways allow")
  func looksAsSeldomAsLeewaysAllow() {
    // S92, S93, S94
    var random = SeededGenerator()
    for _ in 0..<200 {
      var heap = TimerHeap<(time: Int64, latest: Int64)>()
      var windows: [(time: Int64, latest: Int64)] = []
      for _ in 0..<random.number(in: 1..<40) {
        let time = Int64(random.number(in: 0..<100))
        let leeway = Int64(random.number(in: 0..<30))
        windows.append((time, time + leeway))
        _ = heap.arm(once(time, leeway: leeway), action: (time, time + leeway))
      }
      var looks = 0
      var fired = 0
      while true {
        let now = heap.nextLook(on: .uptime)
        if now.isNever { break }
        looks += 1
        var before = Int64.min
        while let due = heap.takeDue(on: .uptime, at: now) {
          #expect(due.action.time <= now.nanoseconds && now.nanoseconds <= due.action.latest)
          #expect(before <= due.action.time)
          before = due.action.time
          fired += 1
        }
      }
      #expect(fired == windows.count)
      #expect(looks == Self.disjointWindows(windows))
    }
  }

  /// The most windows of which no two overlap; each of them needs a look of its own.
  private static func disjointWindows(_ windows: [(time: Int64, latest: Int64)]) -> Int {
    var count = 0
    var end = Int64.min
    for window in windows.sorted(by: { $0.latest < $1.latest }) where window.time > end {
      count += 1
      end = window.latest
    }
    return count
  }

  @Test("A timer that never fires causes no wait")
  func whatNeverFiresWaitsForNothing() {
    // S92
    var heap = TimerHeap<Int>()
    let token = heap.arm(once(.max), action: 1)
    #expect(heap.isIdle && heap.count == 1)
    let noLook = heap.nextLook(on: .uptime)
    #expect(noLook.isNever)
    let due = heap.takeDue(on: .uptime, at: PointInTime(nanoseconds: .max - 1))
    #expect(due == nil)
    let isKnown = heap.rearm(token, to: once(5, on: .wall))
    #expect(isKnown && !heap.isIdle)
    let look = heap.nextLook(on: .wall)
    #expect(look.nanoseconds == 5)
    let stops = heap.rearm(token, to: once(.max, on: .wall))
    #expect(stops && heap.isIdle)
    let action = heap.cancel(token)
    #expect(action == 1 && heap.count == 0)
  }

  @Test("A token names one timer only")
  func aTokenNamesOneTimerOnly() {
    var heap = TimerHeap<Int>()
    let first = heap.arm(once(1), action: 1)
    let fired = heap.takeDue(on: .uptime, at: PointInTime(nanoseconds: 1))
    #expect(fired?.action == 1)
    let second = heap.arm(once(1), action: 2)
    #expect(first.slot == second.slot && first != second)
    let isKnown = heap.rearm(first, to: once(7))
    let nothing = heap.cancel(first)
    #expect(!isKnown && nothing == nil)
    let action = heap.cancel(second)
    #expect(action == 2)
    let unknown = heap.cancel(TimerToken(slot: 99, generation: 0))
    #expect(unknown == nil)
  }

  @Test("Removed timers free their slots")
  func whatIsTakenOutGivesItsRoomBack() {
    let count = Tier.count(quick: 10_000, full: 100_000)
    var heap = TimerHeap<Int>()
    for round in 0..<3 {
      let tokens = (0..<count).map { heap.arm(once(Int64($0 % 977)), action: $0 + round) }
      #expect(tokens.map(\.slot).max() == count - 1)
      let moved = tokens.count { heap.rearm($0, to: once(Int64(round))) }
      #expect(moved == count)
      #expect(heap.entries == 2 * count)
      let cancelled = tokens.count { heap.cancel($0) != nil }
      #expect(cancelled == count)
      #expect(heap.isIdle && heap.count == 0 && heap.entries == 0)
    }
  }

  @Test("A timer that moves often takes no more slots")
  func oneTimerThatMovesOftenTakesNoMoreRoom() {
    var heap = TimerHeap<Int>()
    let token = heap.arm(once(0), action: 0)
    for time in 0..<10_000 { _ = heap.rearm(token, to: once(Int64(time))) }
    #expect(heap.entries == 2)
    let look = heap.nextLook(on: .uptime)
    #expect(look.nanoseconds == 9_999)
  }

  @Test("A lone timer is checked on time")
  func aLoneTimerIsLookedAtOnTime() {
    // S93, S94
    var heap = TimerHeap<Int>()
    _ = heap.arm(once(100, leeway: 50), action: 1)
    #expect(heap.nextLook(on: .uptime).nanoseconds == 100)
    // The second shares the look of the first, the third comes too late for it.
    _ = heap.arm(once(130, leeway: 900), action: 2)
    let late = heap.arm(once(151, leeway: 900), action: 3)
    #expect(heap.nextLook(on: .uptime).nanoseconds == 130)
    _ = heap.rearm(late, to: once(90, leeway: 5))
    #expect(heap.nextLook(on: .uptime).nanoseconds == 90)
  }

  @Test("A bounded check is never late and finds an armed timer")
  func aBoundedLookIsNeverLateAndFindsAnArmedTimer() {
    // S94
    var random = SeededGenerator()
    for _ in 0..<100 {
      var heap = TimerHeap<Int>()
      let count = random.number(in: 1..<400)
      for number in 0..<count {
        _ = heap.arm(once(Int64(random.number(in: 0..<1_000)), leeway: 2_000), action: number)
      }
      let exact = heap.nextLook(on: .uptime)
      for limit in [1, 16, 256] {
        let look = heap.nextLook(on: .uptime, limit: limit)
        #expect(look <= exact)
      }
      #expect(heap.nextLook(on: .uptime, limit: count) == exact)
    }
  }
}
