/// One thing that a queue does when its turn comes.
///
/// It cannot be copied: a copy would keep what a closure holds after its run (S82).
enum QueuedWork: ~Copyable, Sendable {
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
    switch self {
    case .admit(let gate): gate
    default: nil
    }
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

  /// Does the work on a thread that drains `queue`.
  consuming func perform(in queue: WorkQueue) -> Outcome {
    switch consume self {
    case .run(let body):
      Self.call(consume body)
    case .runInGroup(let body, let group):
      Self.call(consume body)
      group.leave()
    case .runForWaiter(let body, let gate):
      Self.call(consume body)
      gate.open()
    case .admit(let gate):
      return .admits(gate)
    case .drain(let other):
      other.run()
    case .move(let home):
      queue.move(to: home)
      return .moved
    case .job(let job):
      queue.run(job)
    }
    return .next
  }

  /// Takes a closure over, so that what it holds is gone when this returns.
  private static func call(_ body: consuming @escaping @Sendable () -> Void) {
    body()
  }
}
