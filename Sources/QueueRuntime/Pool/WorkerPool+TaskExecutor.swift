extension WorkerPool: TaskExecutor {
  /// Runs a job of a task on a thread of the pool, in the class of the task's priority.
  ///
  /// Returns at once. The priorities from high to background map to the classes from
  /// `userInitiated` to `background`; a task without a priority is of the default class.
  public func enqueue(_ job: consuming ExecutorJob) {
    let qos = WorkQueue.QoS.QoSClass(taskPriority: job.priority.rawValue)
    submit(TaskJob(job: UnownedJob(job), pool: self), qos: qos)
  }
}

/// A job of a task as a job of the pool.
private final class TaskJob: PoolJob {
  private let job: UnownedJob
  /// The pool, kept until the job has run, because the executor's reference is unowned.
  private let pool: WorkerPool

  init(job: UnownedJob, pool: WorkerPool) {
    self.job = job
    self.pool = pool
  }

  func run() {
    unsafe job.runSynchronously(on: pool.asUnownedTaskExecutor())
  }
}

extension WorkQueue.QoS.QoSClass {
  /// Creates the class of a task's priority; 0 stands for none.
  package init(taskPriority priority: UInt8) {
    self =
      switch priority {
      case 0: .default
      case ...TaskPriority.background.rawValue: .background
      case ...TaskPriority.utility.rawValue: .utility
      case ..<TaskPriority.userInitiated.rawValue: .default
      case TaskPriority.userInitiated.rawValue: .userInitiated
      default: .userInteractive
      }
  }
}
