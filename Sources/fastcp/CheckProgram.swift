import FileCopy

/// One run of the command with `--check`: a comparison by `ManifestChecker`, and its output.
struct CheckProgram {
  let request: CheckRequest
  let console: Console

  /// Compares, and reports the differences.
  ///
  /// - Returns: The exit status.
  func run() -> Int32 {
    let monitor = CopyMonitor()
    let console = console
    let checker = ManifestChecker(jobs: request.jobs) { finding in
      console.show(finding)
      if console.hasLostReader { monitor.stop() }
    }
    do throws(ManifestError) {
      let report = try checker.compareAndWait(
        request.directory,
        with: request.manifest,
        monitor: monitor
      )
      if request.showsStatistics { console.print(CheckProgram.summary(of: report)) }
      return report.isEqual ? 0 : 1
    } catch {
      console.show(error)
      return 1
    }
  }

  /// Returns the summary for `--stats`, one line.
  static func summary(of report: ManifestReport) -> String {
    let parts = [
      "\(report.equalCount) equal", "\(report.missingCount) missing",
      "\(report.changedCount) changed", "\(report.extraCount) extra",
      "\(report.unreadableCount) unreadable",
      "\(Figures.plainCount(Int(report.byteCount), "byte")) read",
      "\(Figures.plainCount(report.cachedCount, "file")) from the page cache",
    ]
    return "checked: " + parts.joined(separator: ", ") + "\n"
  }
}
