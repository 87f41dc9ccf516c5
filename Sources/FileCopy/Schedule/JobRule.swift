/// How many tasks are worth doing at a time, told by how busy the processors are.
///
/// Who copies what is in memory keeps a processor busy, and more tasks than processors get into
/// each other's way. Who reads what is not there waits for a disk, and disks answer several at a
/// time. So it begins with as many tasks as processors and goes up while these have nothing to do.
struct JobRule {
  private let processors: Int
  private let most: Int
  /// The number that is right as far as is known.
  private(set) var count: Int

  /// Below this share of the processors' time there is room for more, above the other one too many
  /// are at work. Between them a disk keeps pace with the processors.
  private static let (idle, busy) = (0.7, 0.9)

  /// Begins with one task for each processor, but never has more than `most`.
  init(processors: Int, most: Int) {
    self.processors = processors
    self.most = most
    count = min(processors, most)
  }

  /// Notes how much processor time the process has used while time passed, both in nanoseconds.
  mutating func note(used: Int64, of elapsed: Int64) {
    let share = Double(used) / (Double(elapsed) * Double(processors))
    if share < JobRule.idle {
      count = min(2 * count, most)
    } else if share > JobRule.busy {
      count = max(count / 2, min(processors, most))
    }
  }
}
