import Testing

@testable import EventSources

@Suite("States of memory pressure")
struct PressureStateTests {
  private static func at(_ seconds: Double) -> PointInTime {
    PointInTime(nanoseconds: Int64(seconds * 1e9))
  }

  /// A trigger of a level at a time in seconds.
  struct Event: Sendable {
    let time: Double
    let level: PressureState.Level
  }

  /// Runs triggers and ticks in the order of time, as the producer does, until all is over.
  ///
  /// - Returns: The changes of the level as a letter and a time, as `w0.5`.
  private func run(_ events: [Event]) -> [String] {
    var state = PressureState()
    var changes: [String] = []
    func note(_ level: PressureState.Level?, _ time: PointInTime) {
      guard let level else { return }
      let name = ["n", "w", "c"][level.rawValue]
      changes.append("\(name)\(Double(time.nanoseconds) / 1e9)")
    }
    var left = events[...]
    while true {
      let next = left.first.map { Self.at($0.time) }
      if let tick = state.nextTime, next.map({ tick <= $0 }) ?? true {
        note(state.elapsed(at: tick).level, tick)
      } else if let event = left.popFirst(), let next {
        note(state.triggered(event.level.rawValue, event.level, at: next), next)
      } else {
        return changes
      }
    }
  }

  private static let rows: [([Event], [String])] = [
    ([], []),
    ([.init(time: 1, level: .warning)], ["w1.0", "n7.0"]),
    ([.init(time: 1, level: .critical)], ["c1.0", "w7.0", "n13.0"]),
    // Repeated triggers hold the level and are not reported.
    (
      [1, 3, 5].map { .init(time: $0, level: .warning) },
      ["w1.0", "n11.0"]
    ),
    (
      [.init(time: 1, level: .warning), .init(time: 1, level: .critical)],
      ["w1.0", "c1.0", "w7.0", "n13.0"]
    ),
    // A warning does not hold the critical level.
    (
      [1, 3, 5].flatMap { time -> [Event] in
        [.init(time: time, level: time == 1 ? .critical : .warning)]
      },
      ["c1.0", "w7.0", "n13.0"]
    ),
    // A warning after the fall holds the lower level.
    (
      [.init(time: 1, level: .critical), .init(time: 8, level: .warning)],
      ["c1.0", "w7.0", "n14.0"]
    ),
    (
      [.init(time: 1, level: .critical), .init(time: 8, level: .critical)],
      ["c1.0", "w7.0", "c8.0", "w14.0", "n20.0"]
    ),
    (
      [.init(time: 1, level: .warning), .init(time: 9, level: .warning)],
      ["w1.0", "n7.0", "w9.0", "n15.0"]
    ),
  ]

  @Test("Triggers give levels that hold and fall by one step", arguments: rows)
  func levels(events: [Event], expected: [String]) {
    #expect(run(events) == expected)
  }

  @Test("A trigger rests until the next tick, and nothing is due without pressure")
  func rest() {
    var state = PressureState()
    #expect(state.nextTime == nil)
    #expect(state.triggered(1, .warning, at: Self.at(1)) == .warning)
    #expect(state.triggered(0, .warning, at: Self.at(2)) == nil)
    #expect(state.triggered(1, .warning, at: Self.at(2.5)) == nil)
    #expect(state.nextTime == Self.at(3))
    #expect(state.elapsed(at: Self.at(2.9)) == .init())
    #expect(state.elapsed(at: Self.at(3)) == .init(level: nil, rearmed: [1, 0]))
    #expect(state.elapsed(at: Self.at(5)) == .init())
    #expect(state.nextTime == Self.at(7))
  }

  @Test("A late tick lowers the level by one step")
  func lateTick() {
    var state = PressureState()
    _ = state.triggered(0, .critical, at: Self.at(1))
    #expect(state.elapsed(at: Self.at(1000)) == .init(level: .warning, rearmed: [0]))
    #expect(state.elapsed(at: Self.at(1005.9)) == .init())
    #expect(state.elapsed(at: Self.at(1006)).level == .normal)
    #expect(state.elapsed(at: Self.at(1007)) == .init())
    #expect(state.nextTime == nil)
  }

  @Test("Times at the end of the clock do not overflow")
  func endOfTime() {
    var state = PressureState()
    _ = state.triggered(0, .critical, at: PointInTime(nanoseconds: .max - 1))
    #expect(state.nextTime == nil)
    #expect(state.level == .critical)
  }
}
