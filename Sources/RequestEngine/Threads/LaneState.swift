import QueueRuntime

/// Which jobs of a lane run and which wait.
struct LaneState<Job> {
  private let width: Int
  private var running = 0
  private var waiting = FirstInFirstOut<Job>()

  init(width: Int) {
    self.width = width
  }

  /// Takes a job.
  ///
  /// - Returns: Whether it runs now; else `ended()` gives it out later.
  mutating func submit(_ job: Job) -> Bool {
    if running < width {
      running += 1
      return true
    }
    waiting.append(job)
    return false
  }

  /// Notes the end of a running job.
  ///
  /// - Returns: The job that runs in its place, if one waits.
  mutating func ended() -> Job? {
    if let next = waiting.popFirst() { return next }
    running -= 1
    return nil
  }
}
