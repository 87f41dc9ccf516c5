public import SystemCalls

extension WorkQueue {
  /// The serial queue whose work the main thread runs.
  ///
  /// The main thread runs it in `runMain`, or in `drainMain` whenever another event loop calls
  /// that. Until then its work waits.
  ///
  /// The main queue is not the main actor: that has an executor of its own in Swift's concurrency,
  /// which on Linux belongs to Dispatch. A program lets one of them have the main thread.
  public static let main = WorkQueue(
    label: "main",
    qos: .default,
    kind: .main,
    lane: SerialLane(),
    pool: .shared,
    home: Home(target: nil, qosClass: .default)
  )

  /// Gives the main thread to the main queue, for ever.
  ///
  /// Work of the main actor, and of Dispatch's main queue, that comes from now on stops the program
  /// with a sentence: it would wait for ever (S78).
  ///
  /// - Precondition: The caller is the main thread, outside of the main queue and of every task: a
  ///   task on the main thread belongs to the main actor, which would never run again.
  @available(*, noasync, message: "It takes the main thread from the main actor for ever")
  public static func runMain() -> Never {
    checkCallerOfDrain()
    requireUse(
      !QueueFrame.isInsideTask,
      "The main thread belongs to the main actor, so the main queue cannot have it for ever.",
      "S78"
    )
    MainThread.shared.drainForEver()
  }

  /// Runs what waits in the main queue, and returns; for programs with another event loop.
  ///
  /// What is submitted meanwhile is left for the next time, for which the descriptor is readable.
  ///
  /// - Precondition: The caller is the main thread, outside of the main queue.
  public static func drainMain() {
    checkCallerOfDrain()
    MainThread.shared.drainWhatWaits()
  }

  /// The descriptor that is readable whenever `drainMain` has something to do.
  ///
  /// It is made at the first call, stays the same and open, and is only to be waited for.
  ///
  /// - Throws: `EMFILE`, `ENFILE` or `ENOMEM` when the kernel gives no descriptor.
  public static func mainDescriptor() throws(Errno) -> Int32 {
    try MainThread.shared.readableDescriptor()
  }

  private static func checkCallerOfDrain() {
    requireUse(MainThread.isCurrent, "The main queue is drained by the main thread.", "S84")
    requireUse(
      QueueFrame.occupation(of: .main) == .none,
      "The main queue is not drained by its own work.",
      "S84"
    )
  }
}
