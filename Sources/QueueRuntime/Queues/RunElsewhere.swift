/// Has another thread run a closure of this one, which waits, and returns what it returns.
///
/// - Parameters:
///   - body: The closure.
///   - submit: Submits the work that runs the closure; it is run once.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
func runElsewhere<Result: ~Copyable, Failure>(
  _ body: () throws(Failure) -> Result,
  submit: (consuming QueuedWork) -> Void
) throws(Failure) -> Result {
  var outcome: Swift.Result<Result, Failure>?
  let gate = SyncGate()
  withoutActuallyEscaping({ outcome = .init(catching: body) }) { (run: @escaping () -> Void) in
    // The other thread runs the closure and lets go of it before it opens the gate, which orders
    // memory; until then this thread touches nothing of it.
    nonisolated(unsafe) let run = run
    submit(.runForWaiter({ unsafe run() }, gate))
    gate.pass()
  }
  guard let outcome = outcome.take() else {
    preconditionFailure("A gate opens after the closure has run.")
  }
  return try outcome.get()
}
