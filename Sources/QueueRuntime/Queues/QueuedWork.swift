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
    switch consume self {
    case .run(let body): body()
    case .runInGroup(let body, let group):
      Self.finish(body)
      group.leave()
    case .admit: preconditionFailure("A waiting thread runs its closure itself.")
    }
  }

  /// Takes the closure over, so that what it holds is gone when this returns.
  @inline(never)
  private static func finish(_ body: __owned @escaping @Sendable () -> Void) {
    body()
  }
}
