/// A copy that is not complete: something failed, a question was answered with no, or the copy was
/// stopped.
public struct CopyFailure: Error, Sendable {
  /// What was copied all the same, and what failed.
  public let report: CopyReport
}

extension CopyFailure: CustomStringConvertible {
  /// The first failure and how many there are.
  public var description: String {
    guard let first = report.failures.first else {
      return report.isStopped ? "The copy was stopped." : "Files were kept, as answered."
    }
    let further = report.failureCount - 1
    return further == 0 ? first.text() : "\(first.text()), and \(further) more failures"
  }
}
