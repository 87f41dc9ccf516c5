extension WorkerPool {
  /// What a pool has and did at one moment, over all classes of service.
  public struct Statistics: Sendable, Hashable {
    /// The threads there are, those that are about to start or to end among them.
    public var threads = 0
    /// The threads that wait to be called.
    public var idleThreads = 0
    /// The pieces of work that nobody has taken yet; a queue counts as one.
    public var waitingJobs = 0
    /// The pieces of work that were ever submitted.
    public var submittedJobs = 0
    /// How often a thread was started or tried to be.
    public var threadStarts = 0
    /// How often no thread could be started.
    public var failedThreadStarts = 0
    /// How often a waiting thread was woken for work.
    public var wakes = 0
  }

  /// What the pool has and did until now.
  ///
  /// Each crew is looked at by itself, so the numbers of one that works may belong to slightly
  /// different moments.
  public var statistics: Statistics {
    var sum = Statistics()
    for kind in CrewKind.allCases {
      existingCrew(kind)?.state.withLock { sum.add($0) }
    }
    return sum
  }
}

extension WorkerPool.Statistics {
  /// Adds what a crew has and did.
  fileprivate mutating func add(_ crew: Crew.State) {
    threads += crew.threads
    idleThreads += crew.idleThreads
    waitingJobs += crew.waiting
    submittedJobs += crew.counters.submitted
    threadStarts += crew.counters.starts
    failedThreadStarts += crew.counters.failedStarts
    wakes += crew.counters.wakes
  }
}

extension WorkerPool: CustomDebugStringConvertible {
  /// The pool's name and, for each crew that ever had work, its threads and jobs.
  public var debugDescription: String {
    let crews = CrewKind.allCases.compactMap { kind in
      existingCrew(kind).map { crew in
        var statistics = Statistics()
        crew.state.withLock { statistics.add($0) }
        return """
          \(kind): \(statistics.threads) of \(crew.maximum) threads, \
          \(statistics.idleThreads) idle, \(statistics.waitingJobs) waiting
          """
      }
    }
    return "WorkerPool(\(name)\(crews.map { "; \($0)" }.joined()))"
  }
}
