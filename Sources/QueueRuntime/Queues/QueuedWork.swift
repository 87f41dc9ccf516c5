/// One thing that a queue does when its turn comes.
enum QueuedWork: Sendable {
  case run(@Sendable () -> Void)
  /// Run, then leave a group that was entered for it.
  case runInGroup(@Sendable () -> Void, WorkGroup)
  /// Let a thread in that waits to run its own closure.
  case admit(SyncGate)

  /// The waiting thread if this is one.
  var gate: SyncGate? {
    if case .admit(let gate) = self { gate } else { nil }
  }
}

extension QueuedWork {
  /// Runs the closure, lets go of it, and then leaves the group.
  ///
  /// A waiting thread cannot be run: it must be let in.
  consuming func perform() {
    Self.run(consume self)?.leave()
  }

  /// Takes the work over, so that what the closure holds is gone when this returns.
  private static func run(_ work: consuming QueuedWork) -> WorkGroup? {
    switch consume work {
    case .run(let body):
      body()
      return nil
    case .runInGroup(let body, let group):
      body()
      return group
    case .admit:
      preconditionFailure("A waiting thread runs its closure itself.")
    }
  }
}
