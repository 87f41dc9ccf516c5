extension WorkGroup {
  /// Suspends the calling task until the count is 0.
  ///
  /// No thread is blocked meanwhile. The cancellation of the task ends the wait, and does not
  /// change the count (<doc:Rules#S230>).
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the count is 0.
  public func completion() async throws(CancellationError) {
    _ = try await completion(until: .distantFuture)
  }

  /// Suspends the calling task until the count is 0, at most until a deadline.
  ///
  /// With a deadline that has passed it only checks the count. A timer ends the wait, which is late
  /// by the default leeway at most (<doc:Rules#S93>).
  ///
  /// - Parameter deadline: The deadline.
  /// - Returns: `success` if the count was 0 before the deadline.
  /// - Throws: `CancellationError` if the task is cancelled before both.
  public func completion(
    until deadline: Deadline
  ) async throws(CancellationError) -> WaitResult {
    if Task.isCancelled { throw CancellationError() }
    if deadline.nanosecondsLeft() <= 0 { return isEmpty ? .success : .timedOut }
    let wait = TaskWait()
    guard let generation = add(.task(wait)) else { return .success }
    return try await wait.result(until: deadline) { [self] in withdraw(wait, generation) }
  }
}
