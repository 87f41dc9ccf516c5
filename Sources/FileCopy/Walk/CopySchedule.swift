/// What waits to be done, and who does it: the calling thread and up to `jobs - 1` workers, of
/// which as many work at a time as are allowed.
///
/// The task added last is taken first, which keeps a walk deep instead of wide: what waits is at
/// most one reading's worth of names for each directory on the way down.
struct CopySchedule<Task: Sendable> {
  /// What the caller of a method does when the lock is left.
  enum Action: Equatable, Sendable {
    case none
    /// Wakes one parked thread.
    case wakeOne
    /// Wakes all parked threads.
    case wakeAll
    /// Starts a worker.
    case startWorker
  }

  /// What a thread does next.
  enum Step: Sendable {
    case run(Task)
    /// Sleeps until woken and asks again; there is nothing to do, or others are enough for it.
    case park
    /// Nothing waits and nobody works.
    case leave
  }

  /// What a thread comes from.
  enum Previous {
    case task
    case parked
  }

  private var tasks: [Task] = []
  /// Threads that are in a task; the calling thread counts from the start.
  private(set) var running = 1
  private(set) var parked = 0
  /// Workers that are there; one that was asked for may come later or not at all.
  private(set) var workers = 0
  private var asked = 0
  /// Of those that were asked for, how many came.
  private var begun = 0
  private let workerLimit: Int
  /// How many threads may be in tasks before one more begins another.
  private var allowed: Int
  private var isClosed = false

  init(jobs: Int) {
    precondition(jobs >= 1, "A copy needs at least one job.")
    workerLimit = jobs - 1
    allowed = jobs
  }

  /// Whether somebody would take a task if one were added now.
  var isHungry: Bool { tasks.isEmpty && (canWake || canStart) }

  private var canWake: Bool { parked > 0 && running < allowed }
  private var canStart: Bool { asked < workerLimit && running + asked - begun < allowed }

  /// Adds a task.
  mutating func add(_ task: Task) -> Action {
    tasks.append(task)
    return callSomebody()
  }

  /// Lets so many threads work at a time from now on, at least one and at most all.
  mutating func allow(_ count: Int) -> Action {
    allowed = min(max(count, 1), workerLimit + 1)
    if tasks.isEmpty { return .none }
    return canWake ? .wakeAll : callSomebody()
  }

  /// Gets one more thread to work; each task that waits came with such a call.
  private mutating func callSomebody() -> Action {
    if canWake { return .wakeOne }
    guard canStart else { return .none }
    asked += 1
    return .startWorker
  }

  /// A worker is there and counts as coming from a task.
  ///
  /// - Returns: False when it came too late and has to go.
  mutating func workerBegins() -> Bool {
    if isClosed { return false }
    begun += 1
    workers += 1
    running += 1
    return true
  }

  /// What the calling thread does next. When it leaves it counts as running again.
  mutating func callerStep(after previous: Previous) -> (Step, Action) {
    end(previous)
    if let step = takeTask() { return (step, .none) }
    if running > 0 {
      parked += 1
      return (.park, .none)
    }
    running += 1
    return (.leave, .none)
  }

  /// What a worker does next.
  mutating func workerStep(after previous: Previous) -> (Step, Action) {
    end(previous)
    if let step = takeTask() { return (step, .none) }
    if isClosed { return (.leave, .none) }
    parked += 1
    // The last one to end a task wakes the calling thread, which waits for just that.
    return (.park, running == 0 && previous == .task ? .wakeAll : .none)
  }

  /// No task will be added any more: workers leave.
  mutating func close() -> Action {
    isClosed = true
    return .wakeAll
  }

  /// A worker has left and touches nothing any more.
  mutating func workerLeft() -> Action {
    workers -= 1
    return .wakeAll
  }

  private mutating func end(_ previous: Previous) {
    switch previous {
    case .task: running -= 1
    case .parked: parked -= 1
    }
  }

  private mutating func takeTask() -> Step? {
    guard running < allowed, let task = tasks.popLast() else { return nil }
    running += 1
    return .run(task)
  }
}

extension CopySchedule: Equatable where Task: Equatable {}
extension CopySchedule: Hashable where Task: Hashable {}
