extension WorkQueue {
  /// Runs a closure as work of the queue and returns its result to the calling task.
  ///
  /// The closure takes its place in the order of submission, as with `async`; with the flag
  /// `.barrier` it runs as a barrier. The task is suspended meanwhile, and blocks no thread. So an
  /// actor whose executor is this queue can call it too.
  ///
  /// A closure that has not started when the task is cancelled is skipped, and the call throws at
  /// once. One that has started runs to its end, and the call returns its result
  /// (<doc:Rules#S232>).
  ///
  /// - Parameters:
  ///   - qos: The quality of service of the closure, as for `async`.
  ///   - flags: The options of the closure.
  ///   - body: The closure, called at most once.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or `CancellationError` if it was skipped.
  public func run<Result: Sendable>(
    qos: QoS = .unspecified,
    flags: WorkItem.Flags = [],
    execute body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await AwaitedWork(body).result { work in
      async(qos: qos, flags: flags, execute: work)
    }
  }
}
