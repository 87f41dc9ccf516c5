/// The error of an incomplete copy.
///
/// A file failed, a question was answered with no, or the copy was stopped.
public struct CopyFailure: Error, Sendable {
  /// The report, with what was copied and what failed.
  public let report: CopyReport

  /// Whether the copy was stopped by its monitor or by the cancellation of its task, and no file
  /// had failed before.
  public var isCancellation: Bool { report.isStopped && report.failureCount == 0 }
}

extension CopyFailure: CustomStringConvertible {
  /// The first failure and the number of others.
  public var description: String {
    guard let first = report.failures.first else {
      return report.isStopped ? "the copy was stopped" : "existing files were kept"
    }
    let further = report.failureCount - 1
    if further == 0 { return first.text() }
    return "\(first.text()), and \(further) more \(further == 1 ? "failure" : "failures")"
  }
}
