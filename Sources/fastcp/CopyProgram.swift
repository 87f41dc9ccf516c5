import FileCopy

/// One run of the command: a copy by `FileCopier`, its output and its signals.
struct CopyProgram {
  private let request: CopyRequest
  private let console: Console
  private let monitor: CopyMonitor
  private let display: ProgressDisplay
  private let watch: SignalWatch

  init(_ request: CopyRequest, _ console: Console, _ surroundings: ProcessSurroundings) {
    self.request = request
    self.console = console
    display = ProgressDisplay(
      request.output.isQuiet ? .never : request.output.progress,
      console: console,
      surroundings: surroundings
    )
    let monitor = CopyMonitor()
    let output = request.output
    let isDryRun = request.options.isDryRun
    self.monitor = monitor
    watch = SignalWatch(monitor: monitor, console: console, display: display) {
      let report = CopyReport(unfinished: monitor.progress)
      let summary = Summary(report: report, isDryRun: isDryRun)
      CopyProgram.reportStop(summary, output, console)
      if output.isJSON {
        console.print(summary.json(status: 1).text + "\n")
      } else if output.showsStatistics {
        console.print(summary.text)
      }
      _ = console.finish()
    }
  }

  /// Prints the summary of a stopped copy on standard error, unless standard output receives it as
  /// text, or only errors are printed.
  private static func reportStop(_ summary: Summary, _ output: OutputOptions, _ console: Console) {
    if !output.isQuiet && (output.isJSON || !output.showsStatistics) {
      // After a pending question, the cursor is at the end of its line.
      console.printError((console.isAsking ? "\n" : "") + summary.text)
    }
  }

  /// Copies, and reports the results.
  ///
  /// - Returns: The exit status. If a signal stopped the copy, the process ends with it instead.
  func run() -> Int32 {
    watch.start()
    if !request.output.isQuiet {
      for warning in request.warnings { console.printDiagnostic(warning) }
    }
    if request.explainsMethods, let shard = request.shard { console.show(shard) }
    let report = copy()
    if !watch.claimSummary() { SignalWatch.waitForEnd() }
    display.finish(monitor.progress, isComplete: report.isComplete)
    console.showFailures(of: report.destinations)
    let status = request.exitCodes.status(of: report)
    let summary = Summary(report: report, isDryRun: request.options.isDryRun)
    let signal = report.isStopped ? watch.ending : nil
    if request.output.isJSON {
      for destination in report.destinations { console.print(JSONLine(destination).text + "\n") }
      console.print(summary.json(status: status).text + "\n")
      // Standard output holds objects only.
      if request.output.showsStatistics && signal == nil { console.printError(summary.text) }
    } else {
      if request.explainsMethods { console.show(report) }
      if request.output.showsStatistics { console.show(summary) }
    }
    if let signal {
      CopyProgram.reportStop(summary, request.output, console)
      _ = console.finish()
      SignalWatch.end(with: signal)
    }
    if report.failures.contains(where: { $0.problem == .parentsNeedDirectory }) {
      console.pointToHelp()
    }
    return status
  }

  /// Copies, and returns the report of a complete or incomplete copy.
  private func copy() -> CopyReport {
    FileCopier(options).copyAtEnd(
      from: request.sources,
      to: request.destination,
      placing: request.placement,
      monitor: monitor
    )
  }

  private var options: CopyOptions {
    var options = request.options
    let (console, monitor, isQuiet) = (console, monitor, request.output.isQuiet)
    // A dry run copies no bytes, so that a total would not be reached.
    options.countsAhead = display.isShown && !options.isDryRun
    options.observer = CopyObserver(
      observesOperations: (request.isVerbose || options.isDryRun) && !request.output.isJSON
        && !isQuiet,
      observesResults: request.explainsMethods || request.output.isJSON
    ) { event in
      if case .warning = event, isQuiet { return }
      console.show(event)
      if console.hasLostReader { monitor.stop() }
    }
    options.existing.confirm = { console.confirm($0) }
    return options
  }
}
