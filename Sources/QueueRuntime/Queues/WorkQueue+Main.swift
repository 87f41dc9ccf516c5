public import IOChannelsSystem

extension WorkQueue {
  /// The serial queue whose work the main thread runs.
  ///
  /// The main thread runs the queue in `runMain`, or in `drainMain` whenever another event loop
  /// calls `drainMain`. Before such a call the work of the queue waits.
  ///
  /// The main queue is not the main actor, which has its own executor in Swift's concurrency; on
  /// Linux that belongs to Dispatch. Only one of them can have the main thread of a program.
  public static let main = WorkQueue(
    label: "main",
    qos: .default,
    kind: .main,
    core: SerialQueueCore(),
    pool: .shared,
    destination: Destination(target: nil, qosClass: .default)
  )

  /// Runs the main queue on the main thread, and never returns.
  ///
  /// Later work of the main actor, or of Dispatch's main queue, stops the program with a message:
  /// it would wait for ever (<doc:Rules#S78>).
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
    MainThread.shared.drainForever()
  }

  /// Runs the pending work of the main queue and returns; for programs with another event loop.
  ///
  /// Work submitted meanwhile stays for the next call, for which the descriptor is readable.
  ///
  /// - Precondition: The caller is the main thread, outside of the main queue.
  public static func drainMain() {
    checkCallerOfDrain()
    MainThread.shared.drainPending()
  }

  /// Returns a descriptor that is readable whenever `drainMain` has work to run.
  ///
  /// The first call creates it. It stays open and the same, and the caller may only wait for it.
  ///
  /// - Throws: `EMFILE`, `ENFILE` or `ENOMEM` when the kernel provides no descriptor.
  public static func mainDescriptor() throws(SystemError) -> Int32 {
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
