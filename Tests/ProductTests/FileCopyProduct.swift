import FileCopy

/// What a program can name that imports this product alone.
func useFileCopy() -> String {
  let path: BytePath = "/nowhere"
  do throws(CopyFailure) {
    try FileCopier(CopyOptions()).copyAndWait(from: "/nowhere/source", to: "/nowhere/copy")
    return "\(path): copied"
  } catch {
    let cause: SystemError? = error.report.failures.first?.error
    return "\(path): \(cause.map(String.init(describing:)) ?? "failed")"
  }
}
