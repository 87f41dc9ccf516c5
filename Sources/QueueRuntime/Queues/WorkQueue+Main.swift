public import IOChannelsSystem

extension WorkQueue {
  /// The serial queue of the main thread.
  ///
  /// If the process contains libdispatch, which Swift's concurrency uses on Linux, the queue runs
  /// as work of Dispatch's main queue, like the main actor (<doc:Rules#S222>). `RunLoop.main`, an
  /// `async` main function, XCTest, Swift Testing, `dispatchMain()` and `runMain` all run both.
  /// Work of the queue and of the main actor never overlaps. If no descriptor is left for
  /// libdispatch when the first work is submitted, libdispatch stops the program.
  ///
  /// Another event loop calls `drainMain` whenever the descriptor of `mainDescriptor` is readable.
  /// Until the main thread does one of these, the work of the queue waits.
  public static let main = WorkQueue(
    label: "main",
    qos: .default,
    kind: .main,
    core: SerialQueueCore(),
    pool: .shared,
    destination: Destination(target: nil, qosClass: .default)
  )

  /// Runs the main queue, Dispatch's main queue and the main actor on the main thread, and never
  /// returns.
  ///
  /// The work stays on the main thread (<doc:Rules#S223>). If the process does not contain
  /// libdispatch, only the main queue runs.
  ///
  /// - Precondition: The caller is the main thread, outside of the main queue, of Dispatch's main
  ///   queue and of every task. A task on the main thread belongs to the main actor, which would
  ///   never run again.
  @available(*, noasync, message: "It takes the main thread from the main actor for ever")
  public static func runMain() -> Never {
    checkThatMainMayRun()
    MainThread.shared.drainForever()
  }

  /// Stops the program if the calling thread may not run the main queue for ever.
  package static func checkThatMainMayRun() {
    checkCallerOfDrain(isAllowed: PlatformThread.isMain)
    requireUse(
      !QueueFrame.isInsideTask,
      "The main thread belongs to the main actor, so the main queue cannot have it for ever.",
      "S78"
    )
  }

  /// Runs the pending work of the main queue and returns; for programs with another event loop.
  ///
  /// Work submitted meanwhile stays for the next call, for which the descriptor is readable.
  ///
  /// - Precondition: The caller is the main thread, or work of Dispatch's main queue, outside of
  ///   the main queue.
  public static func drainMain() {
    checkCallerOfDrain(isAllowed: MainThread.isCurrent)
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

  private static func checkCallerOfDrain(isAllowed: Bool) {
    requireUse(isAllowed, "The main queue is drained by the main thread.", "S84")
    requireUse(
      QueueFrame.occupation(of: .main) == .none,
      "The main queue is not drained by its own work.",
      "S84"
    )
  }
}
