internal import IOChannelsLocks

/// The wait of one task, which ends once: by its event, at a deadline, or by cancellation.
///
/// The object that the task waits for keeps this one in its list of waiters. The thread that
/// removes it from there ends the wait, so of an event, a deadline and a cancellation at the same
/// moment exactly one counts.
final class TaskWait: Sendable {
  /// The reason for the end of a wait.
  enum End: Sendable {
    case event, deadline, cancellation
  }

  private struct State {
    var end: End?
    var continuation: CheckedContinuation<End, Never>?
  }

  private let state = BargingLock(State())

  /// Ends the wait; called once, also before the task is suspended.
  func end(_ reason: End) {
    let continuation = state.withLock { state in
      if state.continuation == nil { state.end = reason }
      return state.continuation.take()
    }
    continuation?.resume(returning: reason)
  }

  /// Suspends the calling task until the wait ends; called once, after the wait is in the list.
  ///
  /// - Parameters:
  ///   - deadline: The deadline; the distant future uses no timer.
  ///   - withdraw: Removes the wait from the list, and returns whether it was there.
  /// - Returns: Whether the event or the deadline came first.
  /// - Throws: `CancellationError` if the cancellation of the task came first.
  func result(
    until deadline: Deadline,
    withdraw: @escaping @Sendable () -> Bool
  ) async throws(CancellationError) -> WaitResult {
    let timer = arm(deadline, withdraw)
    let reason = await withTaskCancellationHandler {
      await suspend()
    } onCancel: {
      if withdraw() { end(.cancellation) }
    }
    if let timer { TimerService.shared.cancel(timer) }
    switch reason {
    case .event: return .success
    case .deadline: return .timedOut
    case .cancellation: throw CancellationError()
    }
  }

  private func suspend() async -> End {
    await withCheckedContinuation { continuation in
      let reason = state.withLock { state in
        if state.end == nil { state.continuation = continuation }
        return state.end
      }
      if let reason { continuation.resume(returning: reason) }
    }
  }

  private func arm(
    _ deadline: Deadline,
    _ withdraw: @escaping @Sendable () -> Bool
  ) -> TimerToken? {
    if deadline == .distantFuture { return nil }
    let qos = WorkQueue.QoS.QoSClass(taskPriority: Task.currentPriority.rawValue)
    // The thread of the timers calls no executor, which is code of the program (S97).
    return TimerService.shared.arm(at: deadline) { [self] _ in
      WorkQueue.completions(qos: qos).async {
        if withdraw() { self.end(.deadline) }
      }
    }
  }
}
