/// One thing that a queue does when its turn comes.
enum QueuedWork: Sendable {
  case run(@Sendable () -> Void)
  /// Run, then leave a group that was entered for it.
  case runInGroup(@Sendable () -> Void, WorkGroup)
  /// Run for a thread that waits before the gate.
  case runForWaiter(@Sendable () -> Void, SyncGate)
  /// Let a thread in that waits to run its own closure.
  case admit(SyncGate)
  /// Drain another queue, which targets this one.
  case drain(WorkQueue)
  /// Go on elsewhere.
  case move(WorkQueue.Home)
  /// Run a job of Swift's concurrency.
  case job(UnownedJob)

  /// The waiting thread if this is one.
  var gate: SyncGate? {
    if case .admit(let gate) = self { gate } else { nil }
  }
}

extension QueuedWork {
  /// What a drain does after a piece of work.
  enum Outcome {
    case next
    /// Leave the queue to the thread behind the gate.
    case admits(SyncGate)
    /// Go on where the queue targets now.
    case moved
  }

  /// Whom to tell that a closure has run.
  private enum Witness {
    case nobody
    case group(WorkGroup)
    case waiter(SyncGate)
  }

  /// Does the work on a thread that drains `queue`.
  consuming func perform(in queue: WorkQueue) -> Outcome {
    switch self {
    case .admit(let gate):
      return .admits(gate)
    case .move(let home):
      queue.move(to: home)
      return .moved
    case .drain(let other):
      other.run()
    case .job(let job):
      queue.run(job)
    case .run, .runInGroup, .runForWaiter:
      switch Self.run(consume self) {
      case .nobody: break
      case .group(let group): group.leave()
      case .waiter(let gate): gate.open()
      }
    }
    return .next
  }

  /// Takes the work over, so that what the closure holds is gone when this returns.
  private static func run(_ work: consuming QueuedWork) -> Witness {
    switch consume work {
    case .run(let body):
      body()
      return .nobody
    case .runInGroup(let body, let group):
      body()
      return .group(group)
    case .runForWaiter(let body, let gate):
      body()
      return .waiter(gate)
    case .admit, .drain, .move, .job:
      preconditionFailure("Only closures are run like this.")
    }
  }
}
