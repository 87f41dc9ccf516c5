import FileCopy
import Glibc
import Synchronization

/// Writes whole lines, from any thread.
final class Console: Sendable {
  private struct Output {
    var waiting: [UInt8] = []
    var error: Errno?
  }

  /// How much output waits for its writing at most.
  private static let capacity = 32 << 10

  private let programName: String
  private let quoting: ShellQuoting
  private let output = Mutex(Output())
  private let isTerminal = isatty(1) != 0
  /// Whether a line stands on standard error that has to go before anything else is written.
  private let bar = Mutex(false)
  private let asking = Atomic<Bool>(false)
  /// Whether what happens is told in objects.
  private let isJSON: Bool

  init(_ surroundings: ProcessSurroundings, isJSON: Bool = false) {
    self.isJSON = isJSON
    programName = surroundings.programName
    quoting = surroundings.quoting
  }

  /// Puts text on standard output.
  func print(_ text: String) {
    output.withLock { output in
      output.waiting += text.utf8
      if isTerminal || output.waiting.count >= Console.capacity {
        if isTerminal { clearBar() }
        Console.flush(&output)
      }
    }
  }

  /// Whether somebody is being asked just now.
  var isAsking: Bool { asking.load(ordering: .acquiring) }

  /// Puts text on standard error at once.
  func printError(_ text: String) {
    bar.withLock { isDrawn in
      let clearing = isDrawn ? Console.clearing : ""
      isDrawn = false
      _ = Console.write(Array((clearing + text).utf8), to: 2)
    }
  }

  /// Draws a line on the terminal in place of the one that was drawn before.
  func drawBar(_ text: String) {
    // What is asked must stay to be read.
    if isAsking { return }
    bar.withLock { isDrawn in
      isDrawn = true
      _ = Console.write(Array((Console.clearing + text).utf8), to: 2)
    }
  }

  /// Takes the drawn line away.
  func clearBar() {
    bar.withLock { isDrawn in
      if isDrawn { _ = Console.write(Array(Console.clearing.utf8), to: 2) }
      isDrawn = false
    }
  }

  /// To the start of the line, and empty it.
  private static let clearing = "\r\u{1b}[K"

  /// Says where the options are explained.
  func pointToHelp() {
    printError("Try '\(programName) --help' for more information.\n")
  }

  /// Puts a line with the program's name in front on standard error.
  func complain(_ line: String) {
    printError("\(programName): \(line)\n")
  }

  /// Asks on standard error and reads a line from standard input; yes starts with a y.
  func confirm(_ question: CopyQuestion) -> Bool {
    asking.store(true, ordering: .releasing)
    defer { asking.store(false, ordering: .releasing) }
    printError("\(programName): \(question.text(quoting: quoting))")
    var line: [UInt8] = []
    var byte: [UInt8] = [0]
    while let count = try? BorrowedDescriptor(rawValue: 0).read(into: &byte), count == 1,
      byte != [UInt8(ascii: "\n")]
    {
      // Of a long answer only the start counts.
      if line.isEmpty { line = byte }
    }
    return line == [UInt8(ascii: "y")] || line == [UInt8(ascii: "Y")]
  }

  /// Shows what happened in a copy.
  func show(_ event: CopyEvent) {
    if isJSON { tell(event) }
    switch event {
    case .warning(let problem), .failure(let problem): complain(problem.text(quoting: quoting))
    // Objects are alone on standard output.
    case _ where isJSON: break
    case .copying(let source, let destination, let backup):
      let kept = backup.map { " (backup: \(quoting.quote($0)))" } ?? ""
      print("\(quoting.quote(source)) -> \(quoting.quote(destination))\(kept)\n")
    case .madeParent(let source, let destination):
      print("\(quoting.quoteIfNeeded(source)) -> \(quoting.quoteIfNeeded(destination))\n")
    case .restored(let backup, let destination):
      print("\(quoting.quote(backup)) -> \(quoting.quote(destination)) (unbackup)\n")
    case .removed(let path): print("removed \(quoting.quote(path))\n")
    case .verifying: break
    case .copied(let record):
      guard case .file(let method) = record.kind else { break }
      let check = record.check.map { ", \($0.words)" } ?? ""
      print("\(quoting.quote(record.destination)): \(method.words)\(check)\n")
    }
  }

  /// Puts an object about what happened on standard output.
  private func tell(_ event: CopyEvent) {
    switch event {
    case .copied(let record): print(JSONLine(record).text + "\n")
    case .warning(let problem): print(JSONLine(problem, isWarning: true).text + "\n")
    case .failure(let problem): print(JSONLine(problem, isWarning: false).text + "\n")
    case .copying, .madeParent, .restored, .removed, .verifying: break
    }
  }

  /// Shows what a copy did in all.
  func show(_ report: CopyReport) {
    let methods = CopyMethod.allCases
      .compactMap { method in report.methods[method].map { "\($0) \(method.words)" } }
    print(
      """
      total: \(report.files) files (\(methods.joined(separator: ", "))), \
      \(report.directories) directories, \(report.symbolicLinks) symbolic links, \
      \(report.hardLinks) hard links, \(report.specialFiles) special files, \
      \(report.bytes) bytes, \(report.clonedBytes) of them shared, \
      \(report.failureCount) failures

      """
    )
    if let backend = report.channelBackend { print("channels: \(backend)\n") }
    print(
      """
      ring: \(report.ring.requests) requests, \(report.ring.bytesRead) bytes read, \
      \(report.ring.bytesWritten) bytes written

      """
    )
  }

  /// Writes what waits.
  ///
  /// - Returns: False when some output was lost, which is said.
  func finish() -> Bool {
    let error = output.withLock { output in
      Console.flush(&output)
      return output.error
    }
    guard let error else { return true }
    complain("write error: \(error)")
    return false
  }

  private static func flush(_ output: inout Output) {
    // After an error the rest is dropped: a gap in the middle would tell something false.
    if output.error == nil { output.error = write(output.waiting, to: 1) }
    output.waiting.removeAll(keepingCapacity: true)
  }

  private static func write(_ bytes: [UInt8], to number: Int32) -> Errno? {
    let descriptor = BorrowedDescriptor(rawValue: number)
    var written = 0
    do throws(Errno) {
      while written < bytes.count {
        written += try descriptor.write(bytes, written..<bytes.count)
      }
      return nil
    } catch {
      return error
    }
  }
}

extension CopyCheck {
  /// The check in words.
  fileprivate var words: String {
    switch self {
    case .disk: "verified"
    case .cached: "verified in the page cache only"
    case .shared: "verified by its shared blocks"
    }
  }
}

extension CopyMethod {
  /// The method in words.
  fileprivate var words: String {
    switch self {
    case .clone: "cloned"
    case .kernel: "copied by the kernel"
    case .oneShot: "copied in one piece"
    case .stream: "streamed"
    case .channel: "copied between file systems"
    case .direct: "copied past the page cache"
    case .sparse: "copied without holes"
    case .nonZero: "copied without zeros"
    case .attributes: "made without bytes"
    }
  }
}
