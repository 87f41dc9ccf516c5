import RequestEngine
import SystemCalls

extension FileCopier {
  /// Copies one source, and suspends the task until everything is done.
  ///
  /// It is the function for several sources, with one.
  ///
  /// - Throws: ``CopyFailure`` when something failed or the copy was stopped.
  @discardableResult
  public func copy(
    from source: FilePath,
    to destination: FilePath,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) async throws(CopyFailure) -> CopyReport {
    try await copy(from: [source], to: destination, placing: placement, monitor: monitor)
  }

  /// Copies sources in their order, and suspends the task until everything is done.
  ///
  /// The copy runs on a thread of its own and others beside it; the caller's executor is free.
  /// Where the task is cancelled nothing more is begun, what was incomplete is removed, and this
  /// returns when nothing of the copy runs any more. A file that was being overwritten stays as
  /// far as it came.
  ///
  /// - Precondition: With ``CopyPlacement/exactly`` there is one source.
  /// - Throws: ``CopyFailure`` when something failed or the copy was stopped. What could be copied
  ///   in spite of failures was.
  @discardableResult
  public func copy(
    from sources: [FilePath],
    to destination: FilePath,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) async throws(CopyFailure) -> CopyReport {
    let report = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        BlockingPool(lane: "copy", width: 1, runsUserCode: true).submit {
          let report = self.copyAndWait(
            from: sources,
            to: destination,
            placing: placement,
            monitor: monitor
          )
          continuation.resume(returning: report)
        }
      }
    } onCancel: {
      monitor.stop()
    }
    if !report.isComplete { throw CopyFailure(report: report) }
    return report
  }
}
