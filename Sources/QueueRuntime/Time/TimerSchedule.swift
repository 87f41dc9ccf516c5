package import IOChannelsSystem

/// The schedule of a timer: a first time, a leeway, and an interval if it repeats.
package struct TimerSchedule: Equatable, Sendable {
  // The order of these fields leaves room after the last one for fields that are stored with a
  // schedule.
  /// The time of the next fire.
  package private(set) var time: PointInTime
  /// The nanoseconds by which a fire may be late so that others can share its wake.
  let leeway: Int64
  /// The interval, 0 for none.
  private let distance: Int64
  package let clock: KernelClock

  /// Creates a schedule from nanoseconds, as close to the request as the rules allow.
  ///
  /// An interval below a nanosecond counts as one, and one of 2^63 - 1 nanoseconds or more as none.
  /// The leeway is cut to half the interval, so that two fires never merge into one (S93).
  package init(clock: KernelClock, time: PointInTime, interval: Int64?, leeway: Int64) {
    self.clock = clock
    self.time = time
    let interval = interval.map { max(1, $0) } ?? .max
    distance = interval == .max ? 0 : interval
    self.leeway = min(max(0, leeway), distance > 0 ? distance / 2 : .max)
  }

  /// The nanoseconds from one fire to the next, at least 1; nil for a timer that fires once.
  package var interval: Int64? { distance > 0 ? distance : nil }

  /// The latest time at which a thread must wake so that the fire is not late; never if the timer
  /// does not fire.
  ///
  /// A fiftieth of the leeway, at most half a millisecond, is reserved for the wake itself.
  var latest: PointInTime {
    if time.isNever { return time }
    let wake = min(leeway / 50, 500_000)
    // An infinite leeway must not prevent the fire.
    return min(time.advanced(by: leeway - wake), PointInTime(nanoseconds: .max - 1))
  }

  /// The schedule of the next fire alone, with its leeway.
  package var nextFire: TimerSchedule {
    TimerSchedule(clock: clock, time: time, interval: nil, leeway: leeway)
  }

  /// Advances to the first time of the grid that has not come yet (S95).
  ///
  /// - Returns: The number of times that have come, including missed ones.
  package mutating func fire(at now: PointInTime) -> Int {
    guard let interval else {
      time = .never
      return 1
    }
    let fires = time.distance(to: now) / interval + 1
    let (step, overflows) = fires.multipliedReportingOverflow(by: interval)
    time = overflows ? .never : time.advanced(by: step)
    return Int(fires)
  }

  /// Returns the default leeway in nanoseconds: a tenth of the time that is left, at least a
  /// millisecond and at most a minute (S93).
  static func leeway(ofTimeLeft nanoseconds: Int64) -> Int64 {
    min(max(nanoseconds / 10, 1_000_000), 60_000_000_000)
  }
}
