import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// Runs tasks on the calling thread and on workers.
///
/// `Context` is what one thread keeps from task to task.
final class CopyWorkers<Task: Sendable, Context>: Sendable {
  /// Runs a job on another thread, at once or when there is one.
  typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Void

  private let schedule: BargingLock<CopySchedule<Task>>
  /// Changes with every wake, so that a wake between looking and sleeping is not lost.
  private let wakes = Atomic<UInt32>(0)
  private let hungry: Atomic<Bool>
  private let pace: JobPace?
  private let start: Start
  private let makeContext: @Sendable (CopyWorkers) -> Context
  private let perform: @Sendable (Task, Context) -> Void
  private let retire: @Sendable (Context) -> Void

  /// Makes a set of workers, none of which is started before a task waits.
  ///
  /// - Parameters:
  ///   - jobs: How many tasks are done at a time, the calling thread's among them.
  ///   - pace: Tells how many of those are worth it; nil where it is that number.
  ///   - start: Starts a worker.
  ///   - makeContext: Makes a thread's context, on that thread.
  ///   - perform: Does a task.
  ///   - retire: Takes back the context of a worker that leaves.
  init(
    jobs: Int,
    pace: JobPace? = nil,
    start: @escaping Start,
    makeContext: @escaping @Sendable (CopyWorkers) -> Context,
    perform: @escaping @Sendable (Task, Context) -> Void,
    retire: @escaping @Sendable (Context) -> Void
  ) {
    schedule = BargingLock(CopySchedule(jobs: jobs))
    hungry = Atomic(jobs > 1)
    self.pace = pace
    self.start = start
    self.makeContext = makeContext
    self.perform = perform
    self.retire = retire
    if let jobs = pace?.count { act { schedule in ((), schedule.allow(jobs)) } }
  }

  /// Whether a task that is added now is begun at once; may be out of date when it is read.
  var isHungry: Bool { hungry.load(ordering: .relaxed) }

  /// Adds a task, which is begun before those that wait already.
  func add(_ task: Task) {
    act { schedule in ((), schedule.add(task)) }
  }

  /// Works on the calling thread until nothing waits and no worker is busy.
  func drain(_ context: Context) {
    var previous = CopySchedule<Task>.Previous.task
    while true {
      let seen = wakes.load(ordering: .acquiring)
      switch act({ schedule in schedule.callerStep(after: previous) }) {
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

  /// Sends the workers away and waits until the last one has retired. Nothing may be added then.
  func close() {
    act { schedule in ((), schedule.close()) }
    while true {
      let seen = wakes.load(ordering: .acquiring)
      if schedule.withLock({ $0.workers }) == 0 { return }
      wakes.park(while: seen)
    }
  }

  private func work() {
    guard change({ schedule in schedule.workerBegins() }) else { return }
    let context = makeContext(self)
    var previous = CopySchedule<Task>.Previous.task
    while true {
      let seen = wakes.load(ordering: .acquiring)
      switch act({ schedule in schedule.workerStep(after: previous) }) {
      case .run(let task):
        run(task, context)
        previous = .task
      case .park:
        wakes.park(while: seen)
        previous = .parked
      case .leave:
        retire(context)
        act { schedule in ((), schedule.workerLeft()) }
        return
      }
    }
  }

  private func run(_ task: Task, _ context: Context) {
    perform(task, context)
    if let jobs = pace?.look() { act { schedule in ((), schedule.allow(jobs)) } }
  }

  private func change<Value: Sendable>(
    _ body: (inout CopySchedule<Task>) -> Value
  ) -> Value {
    schedule.withLock { schedule in
      let value = body(&schedule)
      hungry.store(schedule.isHungry, ordering: .relaxed)
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
        // A pool without threads runs its jobs on the thread that submits them, which has a task of
        // its own to do: there is one worker less.
        if PlatformThread.currentToken != submitter { work() }
      }
    }
  }

  private func wake(_ count: Int32) {
    wakes.wrappingAdd(1, ordering: .releasing)
    wakes.unpark(count)
  }
}
