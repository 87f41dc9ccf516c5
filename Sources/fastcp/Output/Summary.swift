import FileCopy

/// The totals of a copy, as text or JSON.
struct Summary {
  var report: CopyReport
  /// Whether the copy was a dry run, which changed nothing.
  var isDryRun = false

  /// The totals as one or two lines of text.
  var text: String {
    var text = isDryRun ? "would copy " : ""
    text += "\(Figures.count(report.fileCount, "file")), \(Figures.bytes(report.byteCount))"
    var parts: [String] = []
    if report.clonedByteCount > 0 {
      parts.append("\(Figures.bytes(report.clonedByteCount)) shared")
    }
    if report.resumedByteCount > 0 {
      parts.append("\(Figures.bytes(report.resumedByteCount)) resumed")
    }
    if report.holeByteCount > 0 { parts.append("\(Figures.bytes(report.holeByteCount)) in holes") }
    if !parts.isEmpty { text += " (\(parts.joined(separator: ", ")))" }
    let seconds = report.elapsed.inSeconds
    text += isDryRun ? ", examined" : ""
    text += " in \(Figures.seconds(seconds)) s"
    if let rate { text += ", \(Figures.bytes(rate))/s" }
    if report.verifiedFileCount > 0 {
      text += ", \(Figures.grouped(report.verifiedFileCount)) verified"
      if let cached = report.checkCounts[.cached] { text += " (\(Figures.grouped(cached)) cached)" }
    }
    if report.failureCount > 0 { text += ", \(Figures.count(report.failureCount, "error"))" }
    if report.isStopped { text += ", stopped" }
    return text + "\n" + others + removals
  }

  /// Returns the JSON object that follows those of the files.
  func json(status: Int32) -> JSONLine {
    var line = JSONLine(type: "summary")
    line.add("files", report.fileCount)
    line.add("directories", report.directoryCount)
    line.add("symlinks", report.symbolicLinkCount)
    line.add("hardlinks", report.hardLinkCount)
    line.add("special", report.specialFileCount)
    line.add("bytes", Int(report.byteCount))
    line.add("shared_bytes", Int(report.clonedByteCount))
    line.add("hole_bytes", Int(report.holeByteCount))
    line.add("resumed_bytes", Int(report.resumedByteCount))
    line.add(
      "methods",
      CopyMethod.allCases.compactMap { method in
        report.methodCounts[method].map { (method.key, $0) }
      }
    )
    if report.verifiedFileCount > 0 {
      line.add(
        "verified",
        CopyCheck.allCases.compactMap { check in
          report.checkCounts[check].map { (check.rawValue, $0) }
        }
      )
    }
    if report.removedCount > 0 { line.add("removed", report.removedCount) }
    if report.declinedCount > 0 { line.add("declined", report.declinedCount) }
    line.add("errors", report.failureCount)
    line.add("seconds", report.elapsed.inSeconds)
    line.add("jobs", report.jobs)
    line.add("dry_run", isDryRun)
    line.add("stopped", report.isStopped)
    line.add("status", Int(status))
    return line
  }

  private var others: String {
    let counts = [
      (report.directoryCount, "directory", "directories"),
      (report.symbolicLinkCount, "symbolic link", "symbolic links"),
      (report.hardLinkCount, "hard link", "hard links"),
      (report.specialFileCount, "special file", "special files"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { Figures.count($0.0, $0.1, plural: $0.2) }
    if parts.isEmpty { return "" }
    return (isDryRun ? "would create " : "") + parts.joined(separator: ", ") + "\n"
  }

  private var removals: String {
    if report.removedCount == 0 { return "" }
    let count = Figures.count(report.removedCount, "entry", plural: "entries")
    return "\(isDryRun ? "would remove" : "removed") \(count) that the source lacks\n"
  }

  /// The number of bytes per second; nil if no bytes were copied.
  private var rate: Int64? {
    let seconds = report.elapsed.inSeconds
    guard !isDryRun, report.byteCount > 0, seconds > 0 else { return nil }
    let rate = Int64(saturating: Double(report.byteCount) / seconds)
    return rate > 0 ? rate : nil
  }
}

extension CopyMethod {
  /// The name of the method in JSON, in which words are separated by underscores.
  fileprivate var key: String {
    switch self {
    case .oneShot: "one_shot"
    case .nonZero: "non_zero"
    case .clone, .kernel, .stream, .direct, .sparse, .compared, .attributes: rawValue
    }
  }
}

extension JSONLine {
  /// Creates the object about a created file.
  init(_ record: CopyRecord) {
    switch record.kind {
    case .file(let method):
      self.init(type: "file")
      add("method", method.key)
      add("bytes", Int(record.byteCount))
      if let check = record.check { add("verified", check.rawValue) }
    case .directory: self.init(type: "directory")
    case .symbolicLink: self.init(type: "symlink")
    case .hardLink: self.init(type: "hardlink")
    case .special: self.init(type: "special")
    }
    add("source", record.source)
    add("destination", record.destination)
  }

  /// Creates the object about a removed entry that the source lacks.
  init(removed path: BytePath, isDirectory: Bool) {
    self.init(type: "removed")
    add("path", path)
    add("directory", isDirectory)
  }

  /// Creates the object about one of several destinations.
  init(_ destination: DestinationReport) {
    let report = destination.report
    self.init(type: "destination")
    add("path", destination.path)
    add("files", report.fileCount)
    add("bytes", Int(report.byteCount))
    add("errors", report.failureCount)
    add("seconds", report.elapsed.inSeconds)
    add("complete", report.isComplete)
  }

  /// Creates the object about a failure or warning.
  init(_ error: CopyError) {
    self.init(type: error.severity == .warning ? "warning" : "error")
    add("message", error.text())
    add("path", error.path)
    if let other = error.otherPath { add("other_path", other) }
    if let number = error.error { add("errno", Int(number.rawValue)) }
  }
}
