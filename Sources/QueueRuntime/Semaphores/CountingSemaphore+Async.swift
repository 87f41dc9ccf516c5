extension CountingSemaphore {
  /// Takes a permit; suspends the calling task until one is available.
  ///
  /// No thread is blocked meanwhile. Tasks and threads get permits in one order
  /// (<doc:Rules#S87>). A cancelled wait takes no permit (<doc:Rules#S231>).
  ///
  /// - Throws: `CancellationError` if the task is cancelled before it has a permit.
  public func acquire() async throws(CancellationError) {
    _ = try await acquire(until: .distantFuture)
  }

  /// Takes a permit; suspends the calling task until one is available, at most until a deadline.
  ///
  /// With a deadline that has passed it takes only an available permit. A timer ends the wait,
  /// which is late by the default leeway at most (<doc:Rules#S93>).
  ///
  /// - Parameter deadline: The deadline.
  /// - Returns: `success` if the task has a permit, which it has to return by ``signal()``.
  /// - Throws: `CancellationError` if the task is cancelled before it has a permit.
  public func acquire(
    until deadline: Deadline
  ) async throws(CancellationError) -> WaitResult {
    if Task.isCancelled { throw CancellationError() }
    if takePermit() { return .success }
    if deadline.nanosecondsLeft() <= 0 { return .timedOut }
    let wait = TaskWait()
    if takePermit(orAdd: .task(wait)) { return .success }
    return try await wait.result(until: deadline) { [self] in cancelWait(wait) }
  }

  /// Runs a function with a permit, and returns the permit when the function has returned or
  /// thrown.
  ///
  /// The task waits for the permit as with ``acquire()``. A task that is cancelled while the
  /// function runs keeps the permit until the function ends.
  ///
  /// - Parameter body: A function, called only with a permit.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or `CancellationError` if the task is cancelled before it
  ///   has a permit.
  public func withPermit<Result: ~Copyable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await acquire()
    defer { signal() }
    return try await body()
  }
}
