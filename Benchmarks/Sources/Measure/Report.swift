import Foundation

/// The results of a run, as JSON for programs and Markdown for readers.
public struct Report: Codable {
  /// One measured row.
  public struct Line: Codable {
    let id: String
    var work: String
    let rival: String
    var goal: Double
    let unit: String
    let ratio: Double
    let best: Double
    let spread: [Double]
    let ours: [Double]
    let theirs: [Double]
    /// The medians of the processor time in seconds, of this package and of the other tool, where a
    /// time was taken.
    let processor: [Double]?
    /// The median numbers of voluntary context switches, of this package and of the other tool.
    let sleeps: [Double]?
    /// The tails of single operations, of this package and of the other tool.
    let tails: [Tail]?
    /// The revision that was measured.
    let revision: String?
    var met: Bool
  }

  /// A row that was not measured, and why.
  public struct Gap: Codable {
    let id: String
    let reason: String
  }

  /// Kernel, processors, versions.
  public var environment: [String: String]
  /// The measured rows.
  public private(set) var rows: [Line] = []
  /// The rows that were not measured.
  public private(set) var skipped: [Gap] = []
  /// The revision of what is added from now on.
  public var revision: String?

  private enum CodingKeys: CodingKey {
    case environment, rows, skipped
  }

  /// Starts an empty report.
  public init(environment: [String: String]) {
    self.environment = environment
    revision = environment["revision"]
  }

  /// Adds a line about the machine or the run.
  public mutating func describe(_ name: String, _ value: String) { environment[name] = value }

  /// Adds a result.
  public mutating func add(_ result: Measurement) {
    rows.append(
      Line(
        id: result.row.id,
        work: work(of: result.row),
        rival: result.row.rival,
        goal: result.row.goal,
        unit: result.row.unit,
        ratio: result.ratio,
        best: result.best,
        spread: [result.spread.lowerBound, result.spread.upperBound],
        ours: result.ours.map(\.number),
        theirs: result.theirs.map(\.number),
        processor: result.medians(of: \.seconds),
        sleeps: result.medians(of: \.sleeps),
        tails: result.tails.map { [$0.ours, $0.theirs] },
        revision: revision,
        met: result.isMet
      )
    )
  }

  /// Returns the work of a row, without the sizes of other runs.
  private func work(of row: Row) -> String {
    environment["size"] == "full" ? row.work.replacing(/\ \(quick: [^)]*\)/, with: "") : row.work
  }

  /// The names of what was measured or could not be.
  public var names: Set<String> { Set(rows.map(\.id) + skipped.map(\.id)) }

  /// Adds a row that could not be measured.
  public mutating func add(skipped row: Row, reason: String) {
    skipped.append(Gap(id: row.id, reason: reason))
  }

  /// Holds what was measured against these rows, with the goals and the words that they have now.
  ///
  /// Removes results beside another tool or bound, and results of no row.
  public mutating func hold(against rows: [Row]) {
    let rows = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    self.rows = self.rows.compactMap { line in
      guard let row = rows[line.id], row.rival == line.rival else { return nil }
      var line = line
      line.work = work(of: row)
      line.goal = row.goal
      line.met = line.ratio >= row.goal
      return line
    }
  }

  /// Puts the rows in the order of these names.
  public mutating func sort(as names: [String]) {
    let places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    rows.sort { places[$0.id, default: .max] < places[$1.id, default: .max] }
    skipped.sort { places[$0.id, default: .max] < places[$1.id, default: .max] }
  }

  /// Returns a report of the rows whose names meet a condition.
  func filtered(_ condition: (_ id: String) -> Bool) -> Report {
    var report = Report(environment: environment)
    report.rows = rows.filter { condition($0.id) }
    report.skipped = skipped.filter { condition($0.id) }
    return report
  }

  /// Reads a report that `json` has written.
  public init(json: Data) throws {
    self = try JSONDecoder().decode(Report.self, from: json)
  }

  /// Returns the report as JSON, with its keys in order.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// Returns the report as tables.
  public func markdown() -> String {
    var text = "# Results\n\n" + markdownTable(of: environment)
    if !rows.isEmpty { text += "\n" + lists }
    for part in ReportPart.allCases {
      let report = self.part(part)
      if report.rows.isEmpty { continue }
      text += "\n## \(part.title)\n\n![\(part.title)](latest-\(part.rawValue).svg)\n"
      text += report.table()
    }
    if !skipped.isEmpty { text += "\nNot measured:\n\n" }
    for gap in skipped { text += "- \(gap.id): \(gap.reason)\n" }
    return text
  }

  private func table() -> String {
    var text = "\n| row | work | rival | goal | ratio | spread | best | ours | theirs |"
    text += " processor, ours, theirs | sleeps | p99 and p99.9 | revision | met |\n"
    text += "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    for row in rows {
      let processor = row.processor.map { $0.map { "\(figure($0)) s" }.joined(separator: ", ") }
      let sleeps = row.sleeps.map { $0.map { String(format: "%.0f", $0) }.joined(separator: ", ") }
      let tails = row.tails.map { $0.map { figure($0) }.joined(separator: "; ") }
      let cells: [String] = [
        row.id, row.work, row.rival, "≥ \(row.goal)", figure(row.ratio),
        row.spread.map { figure($0) }.joined(separator: " to "), figure(row.best),
        "\(figure(median(row.ours))) \(row.unit)", "\(figure(median(row.theirs))) \(row.unit)",
        processor ?? "", sleeps ?? "", tails ?? "",
        row.revision ?? "", row.met ? "yes" : "no",
      ]
      text += cells.map { $0.isEmpty ? "| " : "| \($0) " }.joined() + "|\n"
    }
    return text
  }

  private func figure(_ value: Double) -> String { String(format: "%.3f", value) }

  private func figure(_ tail: Tail) -> String {
    String(format: "%.1f, %.1f µs", tail.p99, tail.p999)
  }
}

/// Returns the environment of a run as a table, sorted by name.
public func markdownTable(of environment: [String: String]) -> String {
  let lines = environment.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |\n" }
  return "| | |\n|---|---|\n" + lines.joined()
}
