internal import IOChannelsLocks

extension WorkerPool {
  /// The numbers of a pool's threads and work items at one moment, for all classes together.
  public struct Statistics: Sendable, Hashable {
    /// The number of threads, including those that are about to start or to end.
    public var threadCount = 0
    /// The number of threads that wait for work.
    public var idleThreadCount = 0
    /// The number of waiting jobs; a queue counts as one.
    public var waitingJobCount = 0
    /// The number of jobs ever submitted.
    public var submittedJobCount = 0
    /// The number of attempts to start a thread.
    public var threadStartCount = 0
    /// The number of failed attempts to start a thread.
    public var failedThreadStartCount = 0
    /// The number of times that a waiting thread was woken for work.
    public var wakeCount = 0
  }

  /// Returns the counts of the pool's threads and work until now.
  ///
  /// Each group of threads is read separately, so the counts of a busy pool may belong to slightly
  /// different moments.
  public func statistics() -> Statistics {
    var sum = Statistics()
    for kind in WorkerGroupKind.allCases {
      existingGroup(kind)?.state.withLock { sum.add($0) }
    }
    return sum
  }
}

extension WorkerPool.Statistics {
  /// Adds the counts of a worker group.
  fileprivate mutating func add(_ group: WorkerGroup.State) {
    threadCount += group.threads
    idleThreadCount += group.idleThreads
    waitingJobCount += group.waiting
    submittedJobCount += group.counters.submitted
    threadStartCount += group.counters.starts
    failedThreadStartCount += group.counters.failedStarts
    wakeCount += group.counters.wakes
  }
}

extension WorkerPool: CustomDebugStringConvertible {
  /// The pool's name, and the threads and jobs of each group of threads that ever had work.
  public var debugDescription: String {
    let groups = WorkerGroupKind.allCases.compactMap { kind in
      existingGroup(kind).map { group in
        var statistics = Statistics()
        group.state.withLock { statistics.add($0) }
        return """
          \(kind): \(statistics.threadCount) of \(group.maximum) threads, \
          \(statistics.idleThreadCount) idle, \(statistics.waitingJobCount) waiting
          """
      }
    }
    return "WorkerPool(\(name)\(groups.map { "; \($0)" }.joined()))"
  }
}
