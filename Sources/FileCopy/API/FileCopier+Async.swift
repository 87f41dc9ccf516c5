import IOChannelsEngine
import IOChannelsSystem

extension FileCopier {
  /// Copies one source, and suspends the task until the copy ends.
  ///
  /// Cancellation and failures are handled as for several sources.
  ///
  /// - Parameters:
  ///   - source: The file or directory to copy: a string or `BytePath(x)`, not `.init(x)`.
  ///   - destination: The name of the copy, or a directory to copy into.
  ///   - placement: The interpretation of the destination.
  ///   - monitor: A monitor of no other copy, which observes and cancels this one.
  /// - Returns: The report of a complete copy.
  /// - Throws: ``CopyFailure`` if the copy is incomplete.
  @discardableResult
  public func copy(
    from source: some BytePathConvertible,
    to destination: some BytePathConvertible,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) async throws(CopyFailure) -> CopyReport {
    try await copy(from: [source], to: destination, placing: placement, monitor: monitor)
  }

  /// Copies several sources in order, and suspends the task until the copy ends.
  ///
  /// The copy runs on threads of its own and does not block the caller's executor. If the task is
  /// cancelled, no further file is started, and incomplete new files are removed. The function
  /// throws ``CopyFailure`` after all threads of the copy have ended. A file that was being
  /// overwritten in place is left incomplete.
  ///
  /// - Parameters:
  ///   - sources: The files and directories to copy.
  ///   - destination: The name of the copy, or the directory to copy into.
  ///   - placement: The interpretation of the destination.
  ///   - monitor: A monitor of no other copy, which observes and cancels this one.
  /// - Precondition: With ``CopyPlacement/exactly`` there is one source.
  /// - Returns: The report of a complete copy.
  /// - Throws: ``CopyFailure`` if the copy is incomplete: a file failed, a question was answered
  ///   with no, or the copy was stopped. Its report holds what was copied.
  @discardableResult
  public func copy(
    from sources: [some BytePathConvertible],
    to destination: some BytePathConvertible,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) async throws(CopyFailure) -> CopyReport {
    let (sources, destination) = (sources.map(\.bytePath), destination.bytePath)
    let report = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        BlockingPool(name: "copy", width: 1, runsUserCode: true).submit {
          let report = self.run(sources, to: destination, placement, monitor: monitor)
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
