internal import IOChannelsLocks

extension ProcessSource {
  /// Waits for the end of a process.
  ///
  /// A child stays with the next `waitpid`. The function returns at once if the process has ended.
  ///
  /// ```swift
  /// if case .signaled(let number, _)? = try await ProcessSource.waitForExit(of: child) {
  ///   print("ended by signal", number)
  /// }
  /// ```
  ///
  /// - Returns: The way in which the process has ended, nil if ``status`` is unknown at that time.
  /// - Throws: `ECANCELED` if the task is cancelled before the process ends. The cancel handler of
  ///   the source has run by then (<doc:Rules#S196>). `ENOENT` or `EINVAL` for the number of a
  ///   thread. `EMFILE` and others where the system has no room.
  public static func waitForExit(of identifier: Int32) async throws(SystemError) -> ProcessStatus? {
    let wait = ExitWait(try ProcessSource(identifier: identifier, eventMask: .exit))
    return try await withTaskCancellationHandler {
      await wait.result()
    } onCancel: {
      wait.cancel()
    }.get()
  }
}

/// A task that waits for the end of a process.
private final class ExitWait: Sendable {
  private let source: ProcessSource
  /// The result, which is that of a cancellation until the end or an error is reported.
  private let outcome = BargingLock(Result<ProcessStatus?, SystemError>.failure(.canceled))

  init(_ source: ProcessSource) { self.source = source }

  func cancel() { source.cancel() }

  /// Activates the source and waits for its cancel handler. Every way ends there.
  func result() async -> Result<ProcessStatus?, SystemError> {
    await withCheckedContinuation { continuation in
      // The handlers keep this object until the cancel handler has run.
      source.setRegistrationHandler { [self] in
        if let error = source.registrationError { end(.failure(error)) }
      }
      source.setEventHandler { [self] in end(.success(source.status)) }
      source.setCancelHandler { [self] in
        continuation.resume(returning: outcome.withLock { $0 })
      }
      source.activate()
    }
  }

  private func end(_ result: Result<ProcessStatus?, SystemError>) {
    outcome.withLock { $0 = result }
    source.cancel()
  }
}
