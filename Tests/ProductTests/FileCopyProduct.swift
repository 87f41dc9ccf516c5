import FileCopy

/// What a program can name that imports this product alone.
func useFileCopy() -> String {
  let report = FileCopier(CopyOptions()).copyAndWait(from: "/nowhere/source", to: "/nowhere/copy")
  let path: BytePath = "/nowhere"
  let error: SystemError? = report.failures.first?.error
  return "\(path): \(error.map(String.init(describing:)) ?? "copied")"
}
