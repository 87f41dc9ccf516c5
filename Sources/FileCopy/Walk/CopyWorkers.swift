import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// A pool of threads that run tasks: the calling thread and workers.
///
/// `Context` is the state that one thread keeps between its tasks.
final class CopyWorkers<Task: Sendable, Context>: Sendable {
  /// A closure that runs a job on another thread, at once or when one is available.
  typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Void

  private let schedule: BargingLock<CopySchedule<Task>>
  /// A counter that each wake increments, so that no wake between a check and the parking is lost.
  private let wakes = Atomic<UInt32>(0)
  private let hasIdle: Atomic<Bool>
  private let pace: JobPace?
  private let start: Start
  private let makeContext: @Sendable (CopyWorkers) -> Context
  private let perform: @Sendable (Task, Context) -> Void
  private let retire: @Sendable (Context) -> Void

  /// Creates a pool. No worker is started before a task waits.
  ///
  /// - Parameters:
  ///   - jobs: The maximum number of concurrent tasks, including those on the calling thread.
  ///   - pace: The current limit within that maximum; nil for the maximum itself.
  ///   - start: Starts a worker.
  ///   - makeContext: Creates the context of a thread, on that thread.
  ///   - perform: Performs a task.
  ///   - retire: Receives the context of a worker that exits.
  init(
    jobs: Int,
    pace: JobPace? = nil,
    start: @escaping Start,
    makeContext: @escaping @Sendable (CopyWorkers) -> Context,
    perform: @escaping @Sendable (Task, Context) -> Void,
    retire: @escaping @Sendable (Context) -> Void
  ) {
    schedule = BargingLock(CopySchedule(jobs: jobs))
    hasIdle = Atomic(jobs > 1)
    self.pace = pace
    self.start = start
    self.makeContext = makeContext
    self.perform = perform
    self.retire = retire
    if let jobs = pace?.count { act { schedule in ((), schedule.setRunningLimit(jobs)) } }
  }

  /// Whether a task that is added now would begin at once. The value may be out of date.
  var hasIdleThreads: Bool { hasIdle.load(ordering: .relaxed) }

  /// Adds a task, which begins before the tasks that are waiting already.
  func add(_ task: Task) {
    act { schedule in ((), schedule.add(task)) }
  }

  /// Runs tasks on the calling thread until no task is waiting and no worker is running one.
  func drain(_ context: Context) {
    runTasks(context) { schedule, previous in schedule.callerStep(after: previous) }
  }

  /// Lets the workers exit, and waits for the last one. No task may be added afterwards.
  func close() {
    act { schedule in ((), schedule.close()) }
    while true {
      let seen = wakes.load(ordering: .acquiring)
      if schedule.withLock({ $0.workers }) == 0 { return }
      wakes.park(while: seen)
    }
  }

  private func work() {
    guard change({ schedule in schedule.registerWorker() }) else { return }
    let context = makeContext(self)
    runTasks(context) { schedule, previous in schedule.workerStep(after: previous) }
    retire(context)
    act { schedule in ((), schedule.unregisterWorker()) }
  }

  /// Performs the steps of a thread until it is to leave.
  private func runTasks(
    _ context: Context,
    _ nextStep: (inout CopySchedule<Task>, CopySchedule<Task>.Previous) -> (
      CopySchedule<Task>.Step, CopySchedule<Task>.Action
    )
  ) {
    var previous = CopySchedule<Task>.Previous.task
    while true {
      let seen = wakes.load(ordering: .acquiring)
      switch act({ schedule in nextStep(&schedule, previous) }) {
      case .run(let task):
        run(task, context)
        previous = .task
      case .park:
        wakes.park(while: seen)
        previous = .parked
      case .leave: return
      }
    }
  }

  private func run(_ task: Task, _ context: Context) {
    perform(task, context)
    if let jobs = pace?.sampleIfDue() {
      act { schedule in ((), schedule.setRunningLimit(jobs)) }
    }
  }

  private func change<Value: Sendable>(
    _ body: (inout CopySchedule<Task>) -> Value
  ) -> Value {
    schedule.withLock { schedule in
      let value = body(&schedule)
      hasIdle.store(schedule.hasIdleThreads, ordering: .relaxed)
      return value
    }
  }

  @discardableResult
  private func act<Value: Sendable>(
    _ body: (inout CopySchedule<Task>) -> (Value, CopySchedule<Task>.Action)
  ) -> Value {
    let (value, action) = change(body)
    follow(action)
    return value
  }

  private func follow(_ action: CopySchedule<Task>.Action) {
    switch action {
    case .none: break
    case .wakeOne: wake(1)
    case .wakeAll: wake(.max)
    case .startWorker:
      let submitter = PlatformThread.currentToken
      start { [self] in
        // A pool without threads runs its jobs on the submitting thread. That thread has a task of
        // its own, so the copy has one worker less.
        if PlatformThread.currentToken != submitter { work() }
      }
    }
  }

  private func wake(_ count: Int32) {
    wakes.wrappingAdd(1, ordering: .releasing)
    wakes.unpark(count)
  }
}
