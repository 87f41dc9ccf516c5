/// The waiting tasks of a copy, and the state of its threads: the caller and up to `jobs - 1`
/// workers.
///
/// A variable limit bounds the number of threads that run tasks at the same time.
///
/// The last task added is the first one taken, so that the walk is depth-first. The waiting tasks
/// are at most the names of one read for each directory on the current path.
struct CopySchedule<Task: Sendable> {
  /// The action that the caller of a method performs after it has released the lock.
  enum Action: Equatable, Sendable {
    case none
    /// Wake one parked thread.
    case wakeOne
    /// Wake all parked threads.
    case wakeAll
    /// Start a worker.
    case startWorker
  }

  /// The next step of a thread.
  enum Step: Sendable {
    case run(Task)
    /// Park until woken, and then request the next step.
    ///
    /// No task is waiting, or enough other threads are running.
    case park
    /// Return: no task is waiting and no thread is running one.
    case leave
  }

  /// The state of a thread before it requests its next step.
  enum Previous {
    case task
    case parked
  }

  private var tasks: [Task] = []
  /// The number of threads that run a task. The calling thread counts from the start.
  private(set) var running = 1
  /// The number of threads that are parked.
  private(set) var parked = 0
  /// The number of workers that have started and not exited.
  private(set) var workers = 0
  /// The number of workers whose start was requested. They may start later or never.
  private var requestedWorkers = 0
  /// The number of requested workers that have started.
  private var startedWorkers = 0
  private let workerLimit: Int
  /// The maximum number of threads that run tasks.
  private var runningLimit: Int
  private var isClosed = false

  init(jobs: Int) {
    precondition(jobs >= 1, "A copy needs at least one job.")
    workerLimit = jobs - 1
    runningLimit = jobs
  }

  /// Whether a parked or new thread would take a task that is added now.
  var hasIdleThreads: Bool { tasks.isEmpty && (canWake || canStart) }

  private var canWake: Bool { parked > 0 && running < runningLimit }
  private var canStart: Bool {
    requestedWorkers < workerLimit && running + requestedWorkers - startedWorkers < runningLimit
  }

  /// Adds a task.
  mutating func add(_ task: Task) -> Action {
    tasks.append(task)
    return wakeOrStart()
  }

  /// Sets the maximum number of threads that run tasks, clamped to at least one and at most all.
  mutating func setRunningLimit(_ count: Int) -> Action {
    runningLimit = min(max(count, 1), workerLimit + 1)
    if tasks.isEmpty { return .none }
    return canWake ? .wakeAll : wakeOrStart()
  }

  /// Requests one more running thread. Each waiting task was added with such a request.
  private mutating func wakeOrStart() -> Action {
    if canWake { return .wakeOne }
    guard canStart else { return .none }
    requestedWorkers += 1
    return .startWorker
  }

  /// Registers a worker that has started. It counts as running, as if it came from a task.
  ///
  /// - Returns: False if it started too late and must exit.
  mutating func registerWorker() -> Bool {
    if isClosed { return false }
    startedWorkers += 1
    workers += 1
    running += 1
    return true
  }

  /// Returns the next step of the calling thread.
  ///
  /// After ``Step/leave`` the thread counts as running again.
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

  /// Returns the next step of a worker.
  mutating func workerStep(after previous: Previous) -> (Step, Action) {
    end(previous)
    if let step = takeTask() { return (step, .none) }
    if isClosed { return (.leave, .none) }
    parked += 1
    // The last worker that ends a task wakes the calling thread, which waits for the end of the
    // work.
    return (.park, running == 0 && previous == .task ? .wakeAll : .none)
  }

  /// Closes the schedule, so that the workers exit. No task may be added afterwards.
  mutating func close() -> Action {
    isClosed = true
    return .wakeAll
  }

  /// Unregisters a worker that has finished its work and exits.
  mutating func unregisterWorker() -> Action {
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
    guard running < runningLimit, let task = tasks.popLast() else { return nil }
    running += 1
    return .run(task)
  }
}

extension CopySchedule: Equatable where Task: Equatable {}
extension CopySchedule: Hashable where Task: Hashable {}
