import FileCopy

/// What a program can name that imports this product alone.
func useFileCopy() -> String {
  let path: BytePath = "/nowhere"
  do throws(CopyFailure) {
    try FileCopier(CopyOptions()).copyAndWait(from: "/nowhere/source", to: "/nowhere/copy")
    return "\(path): copied"
  } catch {
    guard let failure = error.report.failures.first, failure.operation == .readStatus,
      case .system(let cause) = failure.reason
    else { return "\(path): \(error)" }
    let number: SystemError = cause
    return "\(path): \(number)"
  }
}
