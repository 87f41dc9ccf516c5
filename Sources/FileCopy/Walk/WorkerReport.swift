/// The results of one thread of a copy.
///
/// Each counter is a property of its own, so that a change of one is no access to all others, which
/// would have to be checked for each file.
final class WorkerReport {
  private(set) var fileCount = 0
  var directoryCount = 0
  var symbolicLinkCount = 0
  var hardLinkCount = 0
  var specialFileCount = 0
  var removedCount = 0
  private(set) var byteCount: Int64 = 0
  private var clonedByteCount: Int64 = 0
  private var resumedByteCount: Int64 = 0
  var holeByteCount: Int64 = 0
  var declinedCount = 0
  var isStopped = false
  private(set) var failureCount = 0
  private var methods = MethodCounts()
  private var checks: [CopyCheck: Int] = [:]
  /// The first failures, at most ``CopyReport/keptFailureCount``.
  private(set) var failures: [CopyError] = []

  /// Whether the copy was not stopped, nothing failed, and no question was answered with no.
  var isComplete: Bool { failureCount == 0 && declinedCount == 0 && !isStopped }

  func addFile(_ method: CopyMethod, bytes count: Int64) {
    fileCount += 1
    byteCount = byteCount.grown(by: count)
    if method == .clone { clonedByteCount = clonedByteCount.grown(by: count) }
    methods[method] += 1
  }

  func addResumed(bytes count: Int64) { resumedByteCount = resumedByteCount.grown(by: count) }

  func addHole(bytes count: Int64) { holeByteCount = holeByteCount.grown(by: count) }

  func add(_ check: CopyCheck) { checks[check, default: 0] += 1 }

  func add(_ failure: CopyError) {
    failureCount += 1
    if failures.count < CopyReport.keptFailureCount { failures.append(failure) }
  }

  /// The results as a report of their own.
  ///
  /// Empty collections stay those of a new report, since the first use of one takes longer than the
  /// copy of a small file.
  var result: CopyReport {
    var report = CopyReport()
    report.fileCount = fileCount
    report.directoryCount = directoryCount
    report.symbolicLinkCount = symbolicLinkCount
    report.hardLinkCount = hardLinkCount
    report.specialFileCount = specialFileCount
    report.removedCount = removedCount
    report.byteCount = byteCount
    report.clonedByteCount = clonedByteCount
    report.resumedByteCount = resumedByteCount
    report.holeByteCount = holeByteCount
    report.declinedCount = declinedCount
    report.isStopped = isStopped
    report.failureCount = failureCount
    if failureCount > 0 { report.failures = failures }
    if !checks.isEmpty { report.checkCounts = checks }
    report.methods = methods
    return report
  }
}
