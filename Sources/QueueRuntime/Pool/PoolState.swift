internal import IOChannelsLocks

/// The state machine of a worker group: its workers, their activities, and the waiting jobs.
///
/// **The rule of growth.** `limit` workers may be active at once: `width`, which is the number of
/// processors, plus one for each active worker that was found blocked. While a job waits and
/// `limit` workers are active, one further worker watches: it checks repeatedly which of them are
/// blocked, and raises or lowers the limit. It checks every millisecond as long as that lets
/// further workers start, and then less often. It stops when it has found no waiting job four times
/// in a row. The limit stays then, so workers that are blocked for a long time delay no later job.
/// The limit falls when workers park, and a submission that leaves a job waiting starts the checks
/// again.
///
/// At most one worker searches at a time. The searching worker finds a new job, so a submitter that
/// sees one wakes no thread. When it has found a job and more wait, it calls the next worker.
struct PoolState<Job: Sendable>: Sendable {
  /// The counts of events since the worker group was created.
  struct Counters: Equatable, Sendable {
    var submitted = 0
    /// The number of calls that started a thread, or tried to.
    var starts = 0
    var failedStarts = 0
    /// The number of calls that woke a thread.
    var wakes = 0
  }

  /// The reason for which a worker is called.
  enum Duty: UInt32, Sendable {
    case work = 1
    case watch = 2
    /// No duty: the worker's thread ends.
    case end = 3
  }

  /// A worker that has to be woken or, if it has no thread yet, started.
  struct Call: Equatable, Sendable {
    var worker: Int
    var duty: Duty
    var startsThread: Bool
  }

  /// The next step of a worker.
  enum Step: Sendable {
    case run(Job, Call?)
    /// A short search for jobs, after which the worker asks again.
    case search
    /// A wait for a call, or the end of the thread.
    case rest(Call?, ends: Bool)
  }

  /// The next step of the watcher.
  enum Finding: Equatable, Sendable {
    case raised([Call])
    case unchanged
    /// No job waited for some time: wait for a call, or end the thread.
    case rest(ends: Bool)
  }

  /// The number of active workers that are allowed although none is blocked.
  let width: Int
  /// The largest number of threads.
  let maximum: Int

  /// The waiting jobs, the oldest first.
  private var jobs = FirstInFirstOut<Job>()
  /// The parked workers with a thread; the one parked last is called first.
  private var idle: [Int] = []
  /// The workers without a thread.
  private var unused: [Int]
  private(set) var active = 0
  private(set) var searching = 0
  private(set) var limit: Int
  private(set) var isWatched = false
  private(set) var isClosed = false
  private(set) var counters = Counters()
  private var quietLooks = 0
  /// The number of calls whose thread has not started yet.
  private var starting = 0
  /// The number of starts that are skipped because a start failed.
  private var withheldStarts = 0
  /// Whether a start failed and none succeeded since, so that the last thread must be kept.
  private var isShort = false

  init(width: Int, maximum: Int) {
    precondition(
      width >= 1 && maximum >= width,
      "A worker group has a worker, and room for its width."
    )
    self.width = width
    self.maximum = maximum
    limit = width
    unused = Array((0..<maximum).reversed())
  }

  /// The number of waiting jobs.
  var waiting: Int { jobs.count }

  /// The number of workers that have a thread, or are about to.
  var threads: Int { maximum - unused.count }

  /// Whether a thread exists already, and is not only about to start.
  var hasThread: Bool { threads > starting }

  /// The number of threads that wait for a call.
  var idleThreads: Int { idle.count }

  /// Whether there is a job for each worker but the one that watches, running or waiting.
  ///
  /// A further job might wait for as long as those do, even while more threads start.
  var isFull: Bool { active - searching + jobs.count >= maximum - 1 }
}

// MARK: - Jobs and workers

extension PoolState {
  /// Adds a job and returns the call that it needs, if any.
  mutating func submit(_ job: Job) -> Call? {
    counters.submitted += 1
    jobs.append(job)
    return callIfNeeded()
  }

  /// Returns the next step of an active worker; nil stands for a submitter that works itself.
  mutating func step(for worker: Int?, wasSearching: Bool) -> Step {
    if wasSearching { searching -= 1 }
    if active <= limit {
      if let job = jobs.popFirst() { return .run(job, callIfNeeded()) }
      if worker != nil && !wasSearching && searching == 0 {
        searching = 1
        return .search
      }
    }
    deactivateOne()
    let ends = worker.map { park($0) } ?? true
    return .rest(callIfNeeded(), ends: ends)
  }

  /// Ends an idle worker's thread.
  ///
  /// - Returns: False when the worker was called in the meantime, or is the last one and another
  ///   might not start.
  mutating func expire(_ worker: Int) -> Bool {
    if isShort && threads == 1 { return false }
    guard let index = idle.firstIndex(of: worker) else { return false }
    idle.remove(at: index)
    unused.append(worker)
    return true
  }

  /// Ends all threads as soon as no job waits for them; returns the calls to those that are idle.
  mutating func close() -> [Call] {
    isClosed = true
    let calls = idle.map { Call(worker: $0, duty: .end, startsThread: false) }
    unused += idle
    idle.removeAll()
    return calls
  }

  /// Processes the watcher's count of active workers that are blocked.
  mutating func observe(blocked: Int, by watcher: Int) -> Finding {
    guard !jobs.isEmpty else {
      quietLooks += 1
      if quietLooks < 4 { return .unchanged }
      isWatched = false
      return .rest(ends: park(watcher))
    }
    quietLooks = 0
    // The watcher itself has one of the threads.
    limit = min(maximum - 1, width + blocked)
    var calls: [Call] = []
    while calls.count < jobs.count, active < limit, let call = callWorker(for: .work) {
      calls.append(call)
    }
    return calls.isEmpty ? .unchanged : .raised(calls)
  }

  private mutating func deactivateOne() {
    active -= 1
    // Only the remaining active workers can be blocked.
    limit = min(limit, width + active)
  }

  /// Parks a worker.
  ///
  /// - Returns: Whether its thread ends.
  private mutating func park(_ worker: Int) -> Bool {
    if isClosed { unused.append(worker) } else { idle.append(worker) }
    return isClosed
  }

  /// Calls a further worker if the waiting jobs need one.
  private mutating func callIfNeeded() -> Call? {
    if jobs.isEmpty || searching > 0 { return nil }
    if active < limit { return callWorker(for: .work) }
    return limit < maximum - 1 && !isWatched ? callWorker(for: .watch) : nil
  }

  /// Calls an idle worker, or one without a thread; returns nil if there is none.
  private mutating func callWorker(for duty: Duty) -> Call? {
    var startsThread = false
    guard let worker = idle.popLast() ?? unusedWorker(&startsThread) else { return nil }
    if startsThread { counters.starts += 1 } else { counters.wakes += 1 }
    switch duty {
    case .work:
      active += 1
      searching += 1
    case .watch:
      isWatched = true
      quietLooks = 0
    case .end:
      break
    }
    return Call(worker: worker, duty: duty, startsThread: startsThread)
  }

  private mutating func unusedWorker(_ startsThread: inout Bool) -> Int? {
    // While a worker is active a failed start costs only speed, so a start is not tried at each
    // job.
    if withheldStarts > 0 && active > 0 {
      withheldStarts -= 1
      return nil
    }
    guard let worker = unused.popLast() else { return nil }
    startsThread = true
    starting += 1
    return worker
  }
}

// MARK: - Starts of threads

extension PoolState {
  /// Records that a called thread has started.
  mutating func threadStarted() {
    starting -= 1
    withheldStarts = 0
    isShort = false
  }

  /// Cancels a call whose thread could not be started.
  ///
  /// - Returns: The worker called instead; if that call starts a thread too, no worker is left.
  mutating func startFailed(_ call: Call) -> Call? {
    cancel(call)
    counters.failedStarts += 1
    withheldStarts = 64
    isShort = true
    return callIfNeeded()
  }

  /// Cancels a call for work because the caller works itself and counts as active.
  mutating func replaceWithCaller(_ call: Call) {
    cancel(call)
    active += 1
  }

  /// Cancels a call for work and returns all waiting jobs, the oldest first.
  mutating func removeAllJobs(cancelling call: Call) -> [Job] {
    cancel(call)
    var given: [Job] = []
    while let job = jobs.popFirst() { given.append(job) }
    return given
  }

  /// Reverses the effects of a call whose thread does not start.
  private mutating func cancel(_ call: Call) {
    unused.append(call.worker)
    starting -= 1
    if call.duty == .watch {
      isWatched = false
    } else {
      deactivateOne()
      searching -= 1
    }
  }
}
