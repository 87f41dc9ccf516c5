/// Which workers a pool has, what they do, and which jobs wait.
///
/// **The rule of growth.** `limit` workers may be active at once: `width`, which is the number of
/// processors, and one more for each active worker that was found blocked. While a job waits and
/// `limit` workers are active, one further worker watches: it looks again and again which of them
/// are blocked, and raises or lowers the limit. It looks after a millisecond as long as that lets
/// further workers start, then after 2, 4, 8 and 16; it stops when it has found no job waiting four
/// times in a row.
///
/// At most one worker searches at a time. It is the one that finds a new job, so a submitter that
/// sees it wakes nobody; when it has found one and more wait, it calls the next.
struct PoolState<Job: Sendable>: Sendable {
  /// What a worker is called for.
  enum Duty: UInt32, Sendable {
    case work = 1
    case watch = 2
  }

  /// A worker that has to be woken or, if it has no thread yet, started.
  struct Call: Equatable, Sendable {
    var worker: Int
    var duty: Duty
    var startsThread: Bool
  }

  /// What a worker does next.
  enum Step: Sendable {
    case run(Job, Call?)
    /// Look for jobs a short while and ask again.
    case search
    /// Wait to be called.
    case park(Call?)
  }

  /// What the watcher does next.
  enum Finding: Equatable, Sendable {
    case raised([Call])
    case unchanged
    /// No job waited for some time: wait to be called.
    case park
  }

  /// The active workers that are allowed although none is blocked.
  let width: Int
  /// The most threads.
  let maximum: Int

  private var jobs = FirstInFirstOut<Job>()
  /// Workers with a thread that waits; the last one parked last and is called first.
  private var idle: [Int] = []
  /// Workers without a thread.
  private var unused: [Int]
  private(set) var active = 0
  private(set) var searching = 0
  private(set) var limit: Int
  private(set) var isWatched = false
  private var quietLooks = 0
  /// The chances to start a thread that are passed over since a start failed.
  private var withheldStarts = 0

  init(width: Int, maximum: Int) {
    precondition(width >= 1 && maximum >= width, "A pool has a worker, and room for its width.")
    self.width = width
    self.maximum = maximum
    limit = width
    unused = Array((0..<maximum).reversed())
  }

  /// The number of jobs that nobody has taken.
  var waiting: Int { jobs.count }

  /// The number of workers that have a thread.
  var threads: Int { maximum - unused.count }

  /// Adds a job; somebody may have to be called for it.
  mutating func submit(_ job: Job) -> Call? {
    jobs.append(job)
    return reinforcement()
  }

  /// Gives an active worker its next step; nil stands for a submitter that works itself.
  mutating func step(for worker: Int?, wasSearching: Bool) -> Step {
    if wasSearching { searching -= 1 }
    if active <= limit {
      if let job = jobs.popFirst() { return .run(job, reinforcement()) }
      if worker != nil && !wasSearching && searching == 0 {
        searching = 1
        return .search
      }
    }
    active -= 1
    if let worker { idle.append(worker) }
    return .park(reinforcement())
  }

  /// Ends an idle worker's thread.
  ///
  /// - Returns: False when the worker was called in the meantime.
  mutating func expire(_ worker: Int) -> Bool {
    guard let index = idle.firstIndex(of: worker) else { return false }
    idle.remove(at: index)
    unused.append(worker)
    return true
  }

  /// Takes back a call whose thread could not be started.
  ///
  /// - Returns: Whether nobody is left to work, so that the caller, counted as active from here on,
  ///   has to.
  mutating func startFailed(_ call: Call) -> Bool {
    unused.append(call.worker)
    withheldStarts = 64
    if call.duty == .watch {
      isWatched = false
      return false
    }
    active -= 1
    searching -= 1
    guard active == 0 else { return false }
    active = 1
    return true
  }

  /// Takes the watcher's count of active workers that are blocked.
  mutating func observe(blocked: Int, by watcher: Int) -> Finding {
    guard !jobs.isEmpty else {
      quietLooks += 1
      if quietLooks < 4 { return .unchanged }
      limit = width
      isWatched = false
      idle.append(watcher)
      return .park
    }
    quietLooks = 0
    // The watcher itself has one of the threads.
    limit = min(maximum - 1, width + blocked)
    var calls: [Call] = []
    while calls.count < jobs.count, active < limit, let call = enlist(for: .work) {
      calls.append(call)
    }
    return calls.isEmpty ? .unchanged : .raised(calls)
  }

  private mutating func reinforcement() -> Call? {
    if jobs.isEmpty || searching > 0 { return nil }
    if active < limit { return enlist(for: .work) }
    return limit < maximum - 1 && !isWatched ? enlist(for: .watch) : nil
  }

  private mutating func enlist(for duty: Duty) -> Call? {
    var startsThread = false
    guard let worker = idle.popLast() ?? unusedWorker(&startsThread) else { return nil }
    switch duty {
    case .work:
      active += 1
      searching += 1
    case .watch:
      isWatched = true
      quietLooks = 0
    }
    return Call(worker: worker, duty: duty, startsThread: startsThread)
  }

  private mutating func unusedWorker(_ startsThread: inout Bool) -> Int? {
    // With somebody active a failed start costs speed only, so it is not tried at each job.
    if withheldStarts > 0 && active > 0 {
      withheldStarts -= 1
      return nil
    }
    guard let worker = unused.popLast() else { return nil }
    startsThread = true
    return worker
  }
}
