/// The number of concurrent tasks, controlled by the utilization of the processors.
///
/// A copy of cached files keeps a processor busy, and more tasks than processors slow each other
/// down. A copy of other files waits for a disk, and a disk serves several requests at a time. So
/// the number starts at the number of processors, and is doubled while the processors are idle.
///
/// Tasks that wait for each other leave processors idle too, and more of them make this worse. So a
/// doubled number is kept only if it increases the utilization. Otherwise the next attempt is
/// delayed.
struct JobRule {
  private let processors: Int
  private let most: Int
  /// The current number of concurrent tasks.
  private(set) var count: Int
  /// The used fraction of processor time with the current number, smoothed exponentially.
  private var utilization: Double?
  /// The utilization with half the tasks, until the gain of the doubling is known.
  private var previousUtilization: Double?
  /// The number of samples since the last change of the number.
  private var samples = 0
  /// The numbers of samples before the next attempt to double, and after the next failed attempt.
  private var (backoff, nextBackoff) = (0, 16)

  /// The utilizations below which the number is doubled, and above which it is halved.
  ///
  /// Between them, a disk keeps up with the processors.
  private static let (idle, busy) = (0.7, 0.9)
  /// The minimum factor by which a doubled number of tasks must increase the utilization.
  private static let gain = 1.15
  private static let samplesToJudge = 2
  private static let maximumBackoff = 128

  /// Creates a rule that starts with one task for each processor, and never exceeds `most`.
  init(processors: Int, most: Int) {
    self.processors = processors
    self.most = most
    count = min(processors, most)
  }

  /// Adds a sample: the processor time that the process used, and the elapsed time, in nanoseconds.
  mutating func note(used: Int64, of elapsed: Int64) {
    let now = Double(used) / (Double(elapsed) * Double(processors))
    let utilization = self.utilization.map { 0.75 * $0 + 0.25 * now } ?? now
    self.utilization = utilization
    samples += 1
    backoff = max(backoff - 1, 0)
    if let before = previousUtilization, samples >= JobRule.samplesToJudge {
      previousUtilization = nil
      if utilization < JobRule.gain * before {
        (backoff, nextBackoff) = (nextBackoff, min(2 * nextBackoff, JobRule.maximumBackoff))
        return set(count / 2)
      }
    }
    if utilization > JobRule.busy {
      set(count / 2)
    } else if utilization < JobRule.idle, backoff == 0, previousUtilization == nil, count < most {
      set(2 * count)
      previousUtilization = utilization
    }
  }

  /// Changes the number within its bounds, and discards the samples of the previous number.
  private mutating func set(_ wanted: Int) {
    let new = min(max(wanted, processors), most)
    if new == count { return }
    (count, utilization, previousUtilization, samples) = (new, nil, nil, 0)
  }
}
