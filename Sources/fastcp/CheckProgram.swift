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
      let status: Int32 = report.isEqual ? 0 : 1
      if request.isJSON { console.print(JSONLine(report, status: status).text + "\n") }
      if request.showsStatistics {
        let summary = CheckProgram.summary(of: report)
        if request.isJSON { console.printError(summary) } else { console.print(summary) }
      }
      return status
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

extension JSONLine {
  /// Creates the object about a difference between a directory and its manifest.
  init(_ finding: ManifestFinding) {
    switch finding {
    case .missing(let path): self.init(finding: "missing", path)
    case .changed(let path): self.init(finding: "changed", path)
    case .extra(let path): self.init(finding: "extra", path)
    case .unreadable(let path, let error):
      self.init(finding: "unreadable", path)
      add("message", "\(error)")
      add("errno", Int(error.rawValue))
    }
  }

  private init(finding type: String, _ path: BytePath) {
    self.init(type: type)
    add("path", path)
  }

  /// Creates the object about a manifest that cannot be used.
  init(_ error: ManifestError) {
    self.init(type: "error")
    add("message", error.text())
    add("path", error.path)
    if let line = error.line { add("line", line) }
    if case .system(let number) = error.reason { add("errno", Int(number.rawValue)) }
  }

  /// Creates the summary of a comparison.
  fileprivate init(_ report: ManifestReport, status: Int32) {
    self.init(type: "summary")
    add("equal", report.equalCount)
    add("missing", report.missingCount)
    add("changed", report.changedCount)
    add("extra", report.extraCount)
    add("unreadable", report.unreadableCount)
    add("bytes", Int(report.byteCount))
    add("cached", report.cachedCount)
    add("stopped", report.isStopped)
    add("status", Int(status))
  }
}
