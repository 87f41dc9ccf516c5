/// The level of memory pressure that follows from the triggers of the kernel.
///
/// The kernel reports pressure at most once a window, and never reports its end. So a level holds
/// for three windows after its last trigger and then falls by one step (S203).
///
/// A trigger that has fired rests until the next tick, since some triggers would fire without a
/// pause. Ticks come once a window while there is pressure.
struct PressureState: Equatable, Sendable {
  enum Level: Int, Comparable, Sendable {
    case normal
    case warning
    case critical

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The changes that are due after some time.
  struct Change: Equatable, Sendable {
    /// The new level, nil if the level stays.
    var level: Level?
    /// The numbers of the triggers that are to be waited for again.
    var rearmed: [Int] = []
  }

  /// The nanoseconds over which the kernel measures.
  static let window: Int64 = 2_000_000_000
  /// The nanoseconds for which a level holds after its last trigger.
  static let hold = 3 * window

  private let hold: Int64
  private(set) var level = Level.normal
  /// The time at which the level falls by a step.
  private var end = PointInTime.never
  private var tick = PointInTime.never
  private var resting: [Int] = []

  /// Creates the state of a system without pressure.
  ///
  /// - Parameter hold: The nanoseconds for which a level holds after its last trigger.
  init(hold: Int64 = PressureState.hold) { self.hold = hold }

  /// The time at which `elapsed` is to be called, nil without pressure.
  var nextTime: PointInTime? {
    let time = min(end, tick)
    return time.isNever ? nil : time
  }

  /// Notes that a trigger has fired, which rests from now on.
  ///
  /// - Parameters:
  ///   - trigger: The number of the trigger.
  ///   - found: The level that the trigger stands for.
  ///   - now: The time.
  /// - Returns: The new level, nil if the level stays.
  mutating func triggered(_ trigger: Int, _ found: Level, at now: PointInTime) -> Level? {
    if !resting.contains(trigger) { resting.append(trigger) }
    if tick.isNever { tick = now.advanced(by: Self.window) }
    guard found >= level else { return nil }
    end = now.advanced(by: hold)
    if found == level { return nil }
    level = found
    return found
  }

  /// Notes that time has passed.
  mutating func elapsed(at now: PointInTime) -> Change {
    var change = Change()
    if now >= end {
      level = level == .critical ? .warning : .normal
      end = level == .normal ? .never : now.advanced(by: hold)
      change.level = level
    }
    if now >= tick {
      swap(&change.rearmed, &resting)
      tick = now.advanced(by: Self.window)
    }
    if level == .normal, resting.isEmpty { tick = .never }
    return change
  }
}
