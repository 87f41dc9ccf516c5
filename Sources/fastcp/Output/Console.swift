import CIOChannelsSystem
import FileCopy
import Glibc
import Synchronization

/// The output of the command. Any thread may print complete lines.
final class Console: Sendable {
  private struct Output {
    var waiting: [UInt8] = []
    var error: SystemError?
  }

  /// The maximum number of buffered bytes.
  private static let capacity = 32 << 10

  private let programName: String
  private let quoting: ShellQuoting
  private let output = Mutex(Output())
  private let isTerminal = isatty(1) != 0
  /// Whether the progress bar is visible and must be cleared before other output.
  private let bar = Mutex(false)
  private let asking = Atomic<Bool>(false)
  private let endsAtBrokenPipe: Bool
  private let lostReader = Atomic<Bool>(false)
  /// Whether events are printed as JSON objects.
  private let isJSON: Bool
  /// Whether options exclude that the kernel copies.
  private let avoidsOffload: Bool

  init(
    _ surroundings: ProcessSurroundings,
    isJSON: Bool = false,
    avoidsOffload: Bool = false
  ) {
    self.isJSON = isJSON
    self.avoidsOffload = avoidsOffload
    programName = surroundings.programName
    quoting = surroundings.quoting
    endsAtBrokenPipe = surroundings.endsAtBrokenPipe
  }

  /// Whether a pipe for the output has no reader any more, so that the process must end.
  var hasLostReader: Bool { lostReader.load(ordering: .acquiring) }

  /// Prints text on standard output.
  func print(_ text: String) {
    output.withLock { output in
      output.waiting += text.utf8
      if isTerminal || output.waiting.count >= Console.capacity {
        if isTerminal { clearBar() }
        flush(&output)
      }
    }
  }

  /// Whether a question is waiting for its answer.
  var isAsking: Bool { asking.load(ordering: .acquiring) }

  /// Prints text on standard error at once.
  func printError(_ text: String) {
    bar.withLock { isDrawn in
      let clearing = isDrawn && Console.isInForeground ? Console.clearing : ""
      isDrawn = false
      note(Console.write(Array((clearing + text).utf8), to: 2))
    }
  }

  /// Draws the progress bar, in place of the previous one, unless the process is in the background.
  func drawBar(_ text: String) {
    // A question must stay visible.
    if isAsking || !Console.isInForeground { return }
    bar.withLock { isDrawn in
      isDrawn = true
      _ = Console.write(Array((Console.clearing + text).utf8), to: 2)
    }
  }

  /// Clears the progress bar.
  func clearBar() {
    bar.withLock { isDrawn in
      if isDrawn && Console.isInForeground {
        _ = Console.write(Array(Console.clearing.utf8), to: 2)
      }
      isDrawn = false
    }
  }

  /// Whether the process is in the foreground of the terminal on standard error.
  ///
  /// Another process uses the terminal otherwise. With `stty tostop`, a write would stop this one.
  private static var isInForeground: Bool { csys_is_in_foreground(2).value != 0 }

  /// The control sequence that clears the line.
  private static let clearing = "\r\u{1b}[K"

  /// Prints a hint to `--help`.
  func pointToHelp() {
    printError("Try '\(programName) --help' for more information.\n")
  }

  /// Prints a line on standard error, after the program's name.
  func printDiagnostic(_ line: String) {
    printError("\(programName): \(line)\n")
  }

  /// Prints a question on standard error, and reads the answer from standard input.
  ///
  /// - Returns: Whether the answer begins with a y.
  func confirm(_ question: CopyQuestion) -> Bool {
    asking.store(true, ordering: .releasing)
    defer { asking.store(false, ordering: .releasing) }
    printError("\(programName): \(question.text(quoting: quoting))")
    var line: [UInt8] = []
    var byte: [UInt8] = [0]
    while let count = try? BorrowedDescriptor(rawValue: 0).read(into: &byte), count == 1,
      byte != [UInt8(ascii: "\n")]
    {
      // Only the first character counts.
      if line.isEmpty { line = byte }
    }
    return line == [UInt8(ascii: "y")] || line == [UInt8(ascii: "Y")]
  }

  /// Prints an event of a copy.
  func show(_ event: CopyEvent) {
    if isJSON { printJSON(event) }
    switch event {
    case .warning(let problem), .failure(let problem):
      printDiagnostic(problem.text(quoting: quoting))
    // With JSON, standard output must hold no other text.
    case _ where isJSON: break
    case .copying(let source, let destination, let backup):
      let kept = backup.map { " (backup: \(quoting.quote($0)))" } ?? ""
      print("\(quoting.quote(source)) -> \(quoting.quote(destination))\(kept)\n")
    case .createdParent(let source, let destination):
      print("\(quoting.quoteIfNeeded(source)) -> \(quoting.quoteIfNeeded(destination))\n")
    case .restored(let backup, let destination):
      print("\(quoting.quote(backup)) -> \(quoting.quote(destination)) (unbackup)\n")
    case .removed(let path): print("removed \(quoting.quote(path))\n")
    case .removedExtraneous(let path, let isDirectory):
      print("removed \(isDirectory ? "directory " : "")\(quoting.quote(path))\n")
    case .verifying: break
    case .copied(let record):
      guard case .file(let method) = record.kind else { break }
      let check = record.check.map { ", \($0.words)" } ?? ""
      let line = method.line(avoidsOffload: avoidsOffload).map { "\n\($0)" } ?? ""
      print("\(quoting.quote(record.destination)): \(method.words)\(check)\(line)\n")
    }
  }

  /// Prints the part of a copy, and the variables that chose it.
  func show(_ request: ShardRequest) {
    guard case .part(let index, let count) = request.shard, !isJSON else { return }
    let origin = request.variables.map { " (\($0))" } ?? ""
    print("part: \(index)/\(count)\(origin)\n")
  }

  /// Prints a difference between a directory and its manifest.
  func show(_ finding: ManifestFinding) {
    if isJSON { print(JSONLine(finding).text + "\n") }
    switch finding {
    case .unreadable(let path, let error):
      printDiagnostic("error reading \(quoting.quote(path)): \(error)")
    // With JSON, standard output must hold no other text.
    case _ where isJSON: break
    case .missing(let path): print("missing: \(quoting.quote(path))\n")
    case .changed(let path): print("changed: \(quoting.quote(path))\n")
    case .extra(let path): print("extra: \(quoting.quote(path))\n")
    }
  }

  /// Prints the error of a manifest.
  func show(_ error: ManifestError) {
    if isJSON { print(JSONLine(error).text + "\n") }
    printDiagnostic(error.text(quoting: quoting))
  }

  /// Prints an event as a JSON object.
  private func printJSON(_ event: CopyEvent) {
    switch event {
    case .copied(let record): print(JSONLine(record).text + "\n")
    case .removedExtraneous(let path, let isDirectory):
      print(JSONLine(removed: path, isDirectory: isDirectory).text + "\n")
    case .warning(let problem), .failure(let problem): print(JSONLine(problem).text + "\n")
    case .copying, .createdParent, .restored, .removed, .verifying: break
    }
  }

  /// Prints the summary of a copy, and those of each destination if there are several.
  func show(_ summary: Summary) {
    print(summary.text)
    for destination in summary.report.destinations {
      let part = Summary(report: destination.report, isDryRun: summary.isDryRun)
      print("to \(quoting.quote(destination.path)): \(part.text)")
    }
  }

  /// Prints a line about each of several destinations for which the copy is incomplete.
  func showFailures(of destinations: [DestinationReport]) {
    for destination in destinations where !destination.report.isComplete {
      let report = destination.report
      var reasons: [String] = []
      if report.failureCount > 0 { reasons.append(Figures.count(report.failureCount, "error")) }
      if report.isStopped { reasons.append("stopped") }
      let reason = reasons.joined(separator: ", ")
      printDiagnostic("copy to \(quoting.quote(destination.path)) is incomplete: \(reason)")
    }
  }

  /// Prints the totals of a copy.
  func show(_ report: CopyReport) {
    let methods = CopyMethod.allCases
      .compactMap { method in report.methodCounts[method].map { "\($0) \(method.words)" } }
    let list = methods.isEmpty ? "" : " (\(methods.joined(separator: ", ")))"
    print(
      """
      total: \(Figures.plainCount(report.fileCount, "file"))\(list), \
      \(Figures.plainCount(report.directoryCount, "directory", plural: "directories")), \
      \(Figures.plainCount(report.symbolicLinkCount, "symbolic link")), \
      \(Figures.plainCount(report.hardLinkCount, "hard link")), \
      \(Figures.plainCount(report.specialFileCount, "special file")), \
      \(Figures.plainCount(Int(report.byteCount), "byte")), \
      \(report.clonedByteCount) of them shared, \
      \(Figures.plainCount(report.failureCount, "failure"))

      """
    )
    if let backend = report.channelBackend { print("channels: \(backend)\n") }
  }

  /// Flushes the buffered output.
  ///
  /// - Returns: False if output was lost. The error is reported too, unless it ends the process.
  func finish() -> Bool {
    let error = output.withLock { output in
      flush(&output)
      return output.error
    }
    guard let error else { return true }
    if hasLostReader { return false }
    printDiagnostic("write error: \(error)")
    return false
  }

  private func flush(_ output: inout Output) {
    // After an error, further output is discarded, because output with a gap would be misleading.
    if output.error == nil {
      output.error = Console.write(output.waiting, to: 1)
      note(output.error)
    }
    output.waiting.removeAll(keepingCapacity: true)
  }

  /// Records the error of a write, if it is the one that ends the process.
  private func note(_ error: SystemError?) {
    guard endsAtBrokenPipe, error == SystemError.brokenPipe else { return }
    lostReader.store(true, ordering: .releasing)
  }

  private static func write(_ bytes: [UInt8], to number: Int32) -> SystemError? {
    let descriptor = BorrowedDescriptor(rawValue: number)
    var written = 0
    do throws(SystemError) {
      while written < bytes.count {
        written += try descriptor.write(bytes, written..<bytes.count)
      }
      return nil
    } catch {
      return error
    }
  }
}
