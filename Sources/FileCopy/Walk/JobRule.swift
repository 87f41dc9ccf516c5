/// How many tasks are worth doing at a time, told by how busy the processors are.
///
/// Who copies what is in memory keeps a processor busy, and more tasks than processors get into
/// each other's way. Who reads what is not there waits for a disk, and disks answer several at a
/// time. So it begins with as many tasks as processors and goes up while these have nothing to do.
///
/// Tasks that wait for each other leave processors idle, too, and more of them even more so. So the
/// number stays up only where the processors have more to do by it, and is not tried again soon.
struct JobRule {
  private let processors: Int
  private let most: Int
  /// The number that is right as far as is known.
  private(set) var count: Int
  /// The share of the processors' time that was used with this number, older notes counting less.
  private var share: Double?
  /// What it was with half of the tasks, until it is known whether they gained by that.
  private var shareBefore: Double?
  /// How many notes came since the number has changed.
  private var notes = 0
  /// The notes for which the number does not go up, and those of the next such time.
  private var (pause, nextPause) = (0, 16)

  /// Below this share of the processors' time there is room for more, above the other one too many
  /// are at work. Between them a disk keeps pace with the processors.
  private static let (idle, busy) = (0.7, 0.9)
  /// Twice the tasks are worth it where they use so many times as much of the processors.
  private static let gain = 1.15
  private static let notesToJudge = 2
  private static let longestPause = 128

  /// Begins with one task for each processor, but never has more than `most`.
  init(processors: Int, most: Int) {
    self.processors = processors
    self.most = most
    count = min(processors, most)
  }

  /// Notes how much processor time the process has used while time passed, both in nanoseconds.
  mutating func note(used: Int64, of elapsed: Int64) {
    let now = Double(used) / (Double(elapsed) * Double(processors))
    let share = self.share.map { 0.75 * $0 + 0.25 * now } ?? now
    self.share = share
    notes += 1
    pause = max(pause - 1, 0)
    if let before = shareBefore, notes >= JobRule.notesToJudge {
      shareBefore = nil
      if share < JobRule.gain * before {
        (pause, nextPause) = (nextPause, min(2 * nextPause, JobRule.longestPause))
        return set(count / 2)
      }
    }
    if share > JobRule.busy {
      set(count / 2)
    } else if share < JobRule.idle, pause == 0, shareBefore == nil, count < most {
      set(2 * count)
      shareBefore = share
    }
  }

  /// Changes the number within its bounds; what was seen with the former one counts no more.
  private mutating func set(_ wanted: Int) {
    let new = min(max(wanted, processors), most)
    if new == count { return }
    (count, share, shareBefore, notes) = (new, nil, nil, 0)
  }
}
