extension WorkQueue: SerialExecutor {
  /// Submits a Swift concurrency job.
  ///
  /// - Precondition: The queue is serial; concurrent jobs would break the isolation of an actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    requireUse(isSerial, "Actors run on serial queues only.", "S81")
    // A queue that becomes concurrent runs earlier jobs of an actor one by one all the same.
    add(.job(UnownedJob(job)), isBarrier: true)
  }

  /// Runs a Swift concurrency job, on a thread that drains the queue.
  func run(_ job: UnownedJob) {
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
  }

  /// Returns whether the calling thread runs work of this queue that excludes all other work of it.
  ///
  /// Such a thread may access the actors whose executor is this queue.
  public func isIsolatingCurrentContext() -> Bool? { occupationByCaller == .exclusive }

  /// Stops the program unless the calling thread runs work of this queue that excludes all other
  /// work of it.
  public func checkIsolated() {
    Self.precondition(.onQueueAsBarrier(self))
  }
}
