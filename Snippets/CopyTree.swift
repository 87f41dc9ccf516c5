// Copies a tree with progress on standard error, and then prints the failures.

import FileCopy
import IOChannels

func copy(_ source: BytePath, to target: BytePath) async {
  var options = CopyOptions.archive
  options.countsAhead = true
  let monitor = CopyMonitor()
  async let shown: Void = {
    // A slow reader skips elements; the copy never waits for it.
    for await progress in monitor.updates() {
      guard let fraction = progress.fractionCompleted else { continue }
      let line = DataBuffer("\r\(Int(fraction * 100)) %".utf8)
      try? await IOChannel.standardError.write(line)
    }
  }()
  do throws(CopyFailure) {
    let report = try await FileCopier(options).copy(from: source, to: target, monitor: monitor)
    await shown
    print("complete:", report.isComplete, "files:", report.fileCount)
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
// complete: true files: 1
// copy: cannot stat '/nowhere/file': No such file or directory
