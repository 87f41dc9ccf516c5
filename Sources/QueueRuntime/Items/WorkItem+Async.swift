internal import IOChannelsLocks

extension WorkItem {
  /// Suspends the calling task until the item has run, or was skipped because it was cancelled.
  ///
  /// The wait keeps the item, so it does not end if no queue has the item and no caller performs
  /// it.
  /// No thread is blocked meanwhile. The cancellation of the task ends the wait, and does not
  /// cancel the item (<doc:Rules#S230>).
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the item has run.
  /// - Precondition: The item runs at most once, and this is its first wait, apart from those that
  ///   have timed out or were cancelled.
  public func completion() async throws(CancellationError) {
    _ = try await completion(until: .distantFuture)
  }

  /// Suspends the calling task until the item has run, at most until a deadline.
  ///
  /// With a deadline that has passed it only checks the item. A timer ends the wait, which is late
  /// by the default leeway at most (<doc:Rules#S93>).
  ///
  /// - Parameter deadline: The deadline.
  /// - Returns: `success` if the item has run before the deadline.
  /// - Throws: `CancellationError` if the task is cancelled before both.
  /// - Precondition: The same as for ``completion()``.
  public func completion(
    until deadline: Deadline
  ) async throws(CancellationError) -> WaitResult {
    if Task.isCancelled { throw CancellationError() }
    word.change(\.awaited)
    var result: WaitResult?
    // A wait that ended without the run does not count as the one wait of an item (S85).
    defer { if result != .success { word.change(\.unawaited) } }
    guard let firstRun else {
      result = .success
      return .success
    }
    let ended = try await firstRun.completion(until: deadline)
    result = ended
    return ended
  }
}
