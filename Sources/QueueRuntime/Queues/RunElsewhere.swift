/// Has the thread that drains a queue run a closure of this one, which waits, and returns what it
/// returns.
///
/// Meanwhile the other thread occupies what this one does.
///
/// - Parameters:
///   - queue: The queue as whose work the closure is run.
///   - occupation: How the closure occupies it.
///   - body: The closure.
///   - submit: Submits the work that runs the closure; it is run once.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
func runElsewhere<Result: ~Copyable, Failure>(
  on queue: WorkQueue,
  _ occupation: QueueFrame.Occupation,
  _ body: () throws(Failure) -> Result,
  submit: (consuming QueuedWork) -> Void
) throws(Failure) -> Result {
  var outcome: Swift.Result<Result, Failure>?
  let gate = SyncGate()
  let waiting = QueueFrame.waiting
  withoutActuallyEscaping({ outcome = .init(catching: body) }) { (run: @escaping () -> Void) in
    // The other thread runs the closure and lets go of it before it opens the gate, which orders
    // memory; until then this thread touches nothing of it.
    nonisolated(unsafe) let run = run
    submit(
      .runForWaiter(
        { QueueFrame.run(on: queue, occupation, for: waiting) { unsafe run() } },
        gate
      )
    )
    gate.pass()
  }
  guard let outcome = outcome.take() else {
    preconditionFailure("A gate opens after the closure has run.")
  }
  return try outcome.get()
}
