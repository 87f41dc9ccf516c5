import FileCopy

/// One line about a running copy.
struct ProgressLine {
  var progress: CopyProgress
  var rate: RateEstimate
  /// The quoting of the name of a file.
  var quoting = ShellQuoting.utf8
  /// Whether a copy that has ended left nothing out.
  var isComplete = true

  /// A part of the line, which is shown completely or not at all.
  private struct Field {
    /// The number of fields that are more important.
    let rank: Int
    let text: String
  }

  private static let separator = "  "
  /// The columns that a shortened name needs.
  private static let nameColumns = 12

  /// Returns the line as text, without the least important fields that exceed a number of columns.
  ///
  /// The name of the current file comes last. It may be shortened, but no number is.
  func text(columns: Int) -> String {
    if let texts = flushingTexts { return texts.first { $0.count <= columns } ?? "" }
    var fields = self.fields
    for _ in 1...2 {
      let line = ProgressLine.join(fields)
      let room = columns - line.count - ProgressLine.separator.count
      if let file = name(columns: room) { return line + ProgressLine.separator + file }
      // Only the last field is less important than the name.
      ProgressLine.dropLast(&fields)
    }
    fields = self.fields
    while !fields.isEmpty {
      let line = ProgressLine.join(fields)
      if line.count <= columns { return line }
      ProgressLine.dropLast(&fields)
    }
    return ""
  }

  /// The line during the final flush, and a shorter one; nil before.
  private var flushingTexts: [String]? {
    guard let rest = progress.unwrittenByteCount, !progress.isFinished else { return nil }
    let text = "\(Figures.bytes(rest)) left"
    return ["writing to disk: \(text)", text]
  }

  private static func join(_ fields: [Field]) -> String {
    fields.map(\.text).joined(separator: separator)
  }

  /// Removes the least important field.
  private static func dropLast(_ fields: inout [Field]) {
    let last = fields.map(\.rank).max()
    fields.removeAll { $0.rank == last }
  }

  /// Returns the path or the name of the current file, or the start of the name.
  ///
  /// - Returns: Nil if there are too few columns, or no file is being copied.
  private func name(columns: Int) -> String? {
    guard let path = progress.currentFile else { return nil }
    let whole = quoting.quoteIfNeeded(path)
    if ProgressLine.width(of: whole.unicodeScalars) <= columns { return whole }
    let name = quoting.quoteIfNeeded(path.lastComponent ?? path)
    if ProgressLine.width(of: name.unicodeScalars) <= columns { return name }
    if columns < ProgressLine.nameColumns { return nil }
    var start = name.unicodeScalars[...]
    while ProgressLine.width(of: start) > columns - 3 { start = start.dropLast() }
    return String(start) + "..."
  }

  /// Returns the maximum number of columns of a text without control characters.
  private static func width(of text: some Sequence<Unicode.Scalar>) -> Int {
    // Some characters outside ASCII take two columns, others one or none.
    text.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
  }

  private var fields: [Field] {
    var fields: [Field] = []
    if let share { fields.append(Field(rank: 0, text: "\(share)%")) }
    fields.append(Field(rank: 4, text: files))
    fields.append(Field(rank: 1, text: bytes))
    if let speed = rate.rate, speed >= 1 {
      let text = "\(Figures.bytes(Int64(saturating: speed)))/s"
      fields.append(Field(rank: 5, text: text))
    }
    fields.append(Field(rank: 6, text: Figures.clock(progress.elapsed.inSeconds)))
    if let left { fields.append(Field(rank: 3, text: "ETA ~\(Figures.clock(left))")) }
    if progress.failureCount > 0 {
      fields.append(Field(rank: 2, text: Figures.count(progress.failureCount, "error")))
    }
    return fields
  }

  /// The line as a JSON object.
  var json: JSONLine {
    var line = JSONLine(type: "progress")
    line.add("seconds", progress.elapsed.inSeconds)
    line.add("files", progress.fileCount)
    line.add("bytes", Int(progress.byteCount))
    if progress.isCounted {
      line.add("files_total", progress.expectedFileCount)
      line.add("bytes_total", Int(progress.expectedByteCount))
    }
    if let speed = rate.rate { line.add("bytes_per_second", Int(Int64(saturating: max(speed, 0)))) }
    if let left { line.add("seconds_left", left) }
    if let source = progress.currentFile { line.add("source", source) }
    if let rest = progress.unwrittenByteCount { line.add("bytes_unwritten", Int(rest)) }
    line.add("errors", progress.failureCount)
    return line
  }

  private var files: String {
    guard progress.expectedFileCount > 0 else { return Figures.count(progress.fileCount, "file") }
    let done = Figures.grouped(progress.fileCount)
    let total = max(progress.expectedFileCount, progress.fileCount)
    return progress.isCounted
      ? "\(done)/\(Figures.count(total, "file"))" : "\(done)/\(Figures.grouped(total))+ files"
  }

  private var bytes: String {
    let done = Figures.bytes(progress.byteCount)
    guard progress.expectedByteCount > 0 else { return done }
    let total = Figures.bytes(max(progress.expectedByteCount, progress.byteCount))
    return progress.isCounted ? "\(done)/\(total)" : "\(done)/\(total)+"
  }

  /// The percentage of bytes that were copied; nil while the total is unknown.
  private var share: Int? {
    guard progress.isCounted, progress.expectedByteCount > 0 else { return nil }
    let part = Double(progress.byteCount) / Double(progress.expectedByteCount) * 100
    let isAll = isComplete || progress.byteCount >= progress.expectedByteCount
    return progress.isFinished && isAll ? 100 : Int(min(max(part, 0), 99))
  }

  /// The estimated remaining time, in seconds; nil if it is unknown.
  private var left: Double? {
    guard progress.isCounted, !progress.isFinished else { return nil }
    return rate.seconds(for: max(progress.expectedByteCount - progress.byteCount, 0))
  }
}
