import Testing

@testable import EventSources

@Suite("States of memory pressure")
struct PressureStateTests {
  private static func at(_ seconds: Double) -> PointInTime {
    PointInTime(nanoseconds: Int64(seconds * 1e9))
  }

  /// A trigger of a level, or a change to it, at a time in seconds.
  struct TimedLevel: Equatable, Sendable, CustomStringConvertible {
    let level: PressureState.Level
    let time: Double

    static func normal(at time: Double) -> TimedLevel { TimedLevel(level: .normal, time: time) }
    static func warning(at time: Double) -> TimedLevel { TimedLevel(level: .warning, time: time) }
    static func critical(at time: Double) -> TimedLevel { TimedLevel(level: .critical, time: time) }

    var description: String { "\(level) at \(time) s" }
  }

  /// Runs triggers and ticks in the order of time, as the producer does, until all is over.
  ///
  /// - Returns: The changes of the level.
  private func run(_ triggers: [TimedLevel]) -> [TimedLevel] {
    var state = PressureState()
    var changes: [TimedLevel] = []
    func note(_ level: PressureState.Level?, _ time: PointInTime) {
      guard let level else { return }
      changes.append(TimedLevel(level: level, time: Double(time.nanoseconds) / 1e9))
    }
    var left = triggers[...]
    while true {
      let next = left.first.map { Self.at($0.time) }
      if let tick = state.nextTime, next.map({ tick <= $0 }) ?? true {
        note(state.elapsed(at: tick).level, tick)
      } else if let trigger = left.popFirst(), let next {
        note(state.triggered(trigger.level.rawValue, trigger.level, at: next), next)
      } else {
        return changes
      }
    }
  }

  private static let rows: [([TimedLevel], [TimedLevel])] = [
    ([], []),
    ([.warning(at: 1)], [.warning(at: 1), .normal(at: 7)]),
    ([.critical(at: 1)], [.critical(at: 1), .warning(at: 7), .normal(at: 13)]),
    // Repeated triggers hold the level and are not reported.
    (
      [1, 3, 5].map { .warning(at: $0) },
      [.warning(at: 1), .normal(at: 11)]
    ),
    (
      [.warning(at: 1), .critical(at: 1)],
      [.warning(at: 1), .critical(at: 1), .warning(at: 7), .normal(at: 13)]
    ),
    // A warning does not hold the critical level.
    (
      [.critical(at: 1), .warning(at: 3), .warning(at: 5)],
      [.critical(at: 1), .warning(at: 7), .normal(at: 13)]
    ),
    // A warning after the fall holds the lower level.
    (
      [.critical(at: 1), .warning(at: 8)],
      [.critical(at: 1), .warning(at: 7), .normal(at: 14)]
    ),
    (
      [.critical(at: 1), .critical(at: 8)],
      [.critical(at: 1), .warning(at: 7), .critical(at: 8), .warning(at: 14), .normal(at: 20)]
    ),
    (
      [.warning(at: 1), .warning(at: 9)],
      [.warning(at: 1), .normal(at: 7), .warning(at: 9), .normal(at: 15)]
    ),
  ]

  @Test("Triggers give levels that hold and fall by one step", arguments: rows)
  func levels(triggers: [TimedLevel], expected: [TimedLevel]) {
    #expect(run(triggers) == expected)
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
