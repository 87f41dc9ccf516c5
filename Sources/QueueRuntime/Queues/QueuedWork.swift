/// One entry of a queue.
///
/// It cannot be copied: a copy would keep the captures of a closure after its run (S82).
enum QueuedWork: ~Copyable, Sendable {
  case run(@Sendable () -> Void)
  /// A closure to run, and a group to leave afterwards.
  case runInGroup(@Sendable () -> Void, WorkGroup)
  /// A C function to call; unlike a closure it needs no memory of its own.
  case function(FunctionCall)
  /// A C function to call, and a group to leave afterwards.
  case functionInGroup(FunctionCall, WorkGroup)
  /// A closure to run for a thread that waits at the gate.
  case runForWaiter(@Sendable () -> Void, SyncGate)
  /// A waiting thread to admit, which runs its own closure.
  case admit(SyncGate)
  /// Another queue to drain, which targets this one.
  case drain(WorkQueue)
  /// A change of the target.
  case move(WorkQueue.Destination)
  /// A job of Swift's concurrency to run.
  case job(UnownedJob)

  /// The gate of the waiting thread, if the entry has one.
  var gate: SyncGate? {
    switch self {
    case .admit(let gate): gate
    default: nil
    }
  }
}

extension QueuedWork {
  /// The next step of a drain after an entry.
  enum Outcome {
    case next
    /// The queue belongs to the thread behind the gate.
    case admits(SyncGate)
    /// The drain continues in the queue's present target.
    case moved
  }

  /// Performs the entry on a thread that drains `queue`.
  consuming func perform(in queue: WorkQueue) -> Outcome {
    switch consume self {
    case .run(let body):
      Self.call(consume body)
    case .runInGroup(let body, let group):
      Self.call(consume body)
      group.leave()
    case .function(let call):
      call()
    case .functionInGroup(let call, let group):
      call()
      group.leave()
    case .runForWaiter(let body, let gate):
      Self.call(consume body)
      gate.open()
    case .admit(let gate):
      return .admits(gate)
    case .drain(let other):
      other.run()
    case .move(let destination):
      queue.move(to: destination)
      return .moved
    case .job(let job):
      queue.run(job)
    }
    return .next
  }

  /// Consumes and calls a closure, so that its captures are released when this returns.
  private static func call(_ body: consuming @escaping @Sendable () -> Void) {
    body()
  }
}
