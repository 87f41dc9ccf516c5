import QueueRuntime

extension IOChannel {
  /// Runs `body` after all earlier operations have ended and before any later one begins, and
  /// returns its result to the calling task.
  ///
  /// The function runs where ``barrier(execute:)`` runs it, and waits for the same operations. On a
  /// closed channel it runs too, and finds no descriptor. Errors of operations do not end the call,
  /// and neither does a stop, which ends the operations before the barrier early
  /// (<doc:Rules#S233>).
  ///
  /// A function that has not started when the task is cancelled is skipped, and the call throws at
  /// once. One that has started runs to its end, and the call returns its result.
  ///
  /// - Parameter body: The function, called at most once.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or `CancellationError` if it was skipped.
  public func runBarrier<Result: Sendable>(
    execute body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await AwaitedWork(body).result { core.barrier($0) }
  }
}
