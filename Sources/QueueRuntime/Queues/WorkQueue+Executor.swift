extension WorkQueue: SerialExecutor {
  /// Submits a job of Swift's concurrency.
  ///
  /// - Precondition: The queue is serial; an actor whose jobs ran side by side would be none.
  public func enqueue(_ job: consuming ExecutorJob) {
    requireUse(isSerial, "Actors run on serial queues only.", "S81")
    add(.job(UnownedJob(job)))
  }

  /// Runs a job of Swift's concurrency, on a thread that drains the queue.
  func run(_ job: UnownedJob) {
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
  }

  /// Whether the calling thread runs work of this queue, so that an actor on it may be touched.
  public func isIsolatingCurrentContext() -> Bool? { occupationByCaller == .exclusive }

  /// Stops the program unless the calling thread runs work of this queue.
  public func checkIsolated() {
    Self.precondition(.onQueueAsBarrier(self))
  }
}
