import Measure

/// B10: timers, beside those of Dispatch. Each run has a process of its own, because Dispatch
/// continues to work after its calls have returned.
enum Timers {
  static let rows = [
    Row(
      id: "B10.arm",
      work: "\(arming), time of the calls",
      rival: "Dispatch",
      goal: 2
    ) { _ in Turn.sides(.armItems, .dispatchArmItems) },
    Row(
      id: "B10.arm-cpu",
      work: "\(arming), processor time until all is quiet",
      rival: "Dispatch",
      goal: 2
    ) { _ in Turn.sides(.armItemsUntilQuiet, .dispatchArmItemsUntilQuiet) },
    Row(
      id: "B10.arm-source",
      work: "\(arming), time of the calls",
      rival: "Dispatch's timer sources, made, armed and cancelled",
      goal: 2
    ) { _ in Turn.sides(.armItems, .dispatchArmSources) },
    Row(
      id: "B10.lateness",
      work: lateness,
      rival: "the leeway, a tenth of the delay",
      goal: 1,
      unit: "leeways"
    ) { _ in
      Sides(ours: { try Turn.lateness.inNewProcess() }, theirs: { 1 })
    },
    Row(
      id: "B10.lateness-none",
      work: "\(lateness), with a leeway of 0",
      rival: "Dispatch's timer sources with a leeway of 0",
      goal: 1,
      unit: "µs"
    ) { _ in Turn.sides(.exactLateness, .dispatchExactLateness) },
    Row(
      id: "B10.wakes",
      work: wakes,
      rival: "Dispatch",
      goal: 40,
      unit: "wakes",
      // The other tool wakes less often where the machine is busy.
      variation: .unprepared
    ) { _ in Turn.sides(.wakes, .dispatchWakes) },
    Row(bound: 25, unit: "wakes", id: "B10.wakes-bound", work: wakes) { _ in
      try Turn.wakes.inNewProcess()
    },
  ]

  private static let arming = "asyncAfter of an item that is then cancelled, \(armed) in flight"
  private static let wakes = "wakes of the timers' thread for \(fired) timers, a millisecond apart"
  private static let lateness = "lateness of asyncAfter at the 99th percentile, \(fired) timers"

  static let armed = 100_000
  static let fired = 1_000

  /// Returns the 99th percentile of the results of `measure` for each timer.
  static func worst(_ found: [Lateness], by measure: (Lateness) -> Double) -> Double {
    let sorted = found.map(measure).sorted()
    return sorted[sorted.count * 99 / 100]
  }
}

/// The lateness of a timer.
struct Lateness {
  var time: Duration
  var planned: Duration

  /// The lateness as a part of the leeway: a tenth of the time, at least a millisecond.
  var share: Double { time / max(planned / 10, .milliseconds(1)) }

  var microseconds: Double { time / .microseconds(1) }
}

/// The latenesses that closures of a serial queue append.
final class Latenesses: @unchecked Sendable {
  var all: [Lateness] = []
}

extension Places {
  /// Times within an hour, in no order.
  static func milliseconds(_ count: Int) -> [Int] {
    var places = Places(below: 3_600_000)
    return (0..<count).map { _ in places.next() }
  }
}
