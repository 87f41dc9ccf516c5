/// Runs a closure of the calling thread, which waits, on the thread that drains a queue.
///
/// Meanwhile the other thread occupies the queues of this one.
///
/// - Parameters:
///   - queue: The queue as whose work the closure runs.
///   - occupation: The way in which the closure occupies it; determined when the closure runs, as
///     the width of the queue may change before.
///   - body: The closure.
///   - submit: Submits the work that runs the closure; it is called once.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure.
func runElsewhere<Result: ~Copyable, Failure>(
  on queue: WorkQueue,
  _ occupation: @autoclosure @escaping @Sendable () -> QueueFrame.Occupation,
  _ body: () throws(Failure) -> Result,
  submit: (consuming QueuedWork) -> Void
) throws(Failure) -> Result {
  var outcome: Swift.Result<Result, Failure>?
  let gate = SyncGate()
  let waiting = QueueFrame.waiting
  withoutActuallyEscaping({ outcome = .init(catching: body) }) { (run: @escaping () -> Void) in
    // The other thread runs and releases the closure before it opens the gate, which orders memory;
    // until then this thread does not access it.
    nonisolated(unsafe) let run = run
    submit(
      .runForWaiter(
        { QueueFrame.run(on: queue, occupation(), for: waiting) { unsafe run() } },
        gate
      )
    )
    gate.pass()
    // The compiler puts the length of this path into the program, which must not depend on the
    // directory of the build. Another file's name would not be unique in the module.
    #sourceLocation(file:"EndOfClosure.swift",line:1)
  }
  #sourceLocation()
  guard let outcome = outcome.take() else {
    preconditionFailure("A gate opens after the closure has run.")
  }
  return try outcome.get()
}
