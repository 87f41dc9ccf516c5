// Copies a tree, reports the progress, and then the failures.

import FileCopy

func copy(_ source: BytePath, to target: BytePath) async {
  let monitor = CopyMonitor()
  async let shown: Void = {
    // A slow reader skips elements; the copy never waits for it.
    for await progress in monitor.updates() where progress.isFinished {
      print("files:", progress.fileCount, "failures:", progress.failureCount)
    }
  }()
  do throws(CopyFailure) {
    let report = try await FileCopier(.archive).copy(from: source, to: target, monitor: monitor)
    await shown
    print("complete:", report.isComplete)
  } catch {
    // All other files were copied. Each failure names its operation and path.
    await shown
    for failure in error.report.failures { print("copy: \(failure)") }
  }
}

let program = BytePath(CommandLine.arguments[0])
await copy(program, to: BytePath("\(program).copy"))
await copy("/nowhere/file", to: BytePath("\(program).copy"))

// snippet.hide
// files: 1 failures: 0
// complete: true
// files: 0 failures: 1
// copy: cannot stat '/nowhere/file': No such file or directory
