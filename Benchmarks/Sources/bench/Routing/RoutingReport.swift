import Foundation
import Measure

/// The table of the routing experiment, as JSON for programs and Markdown for readers.
struct RoutingReport: Codable {
  /// One kind of request.
  struct Row: Codable {
    let fileSystem: String
    let kind: String
    let size: Int
    /// One in flight.
    let single: WayCosts
    /// Sixteen in flight.
    let many: WayCosts
    /// The pool's cost over the ring's, the geometric mean of both counts.
    let ratio: Double

    init(
      _ fileSystem: String,
      _ kind: String,
      size: Int,
      single: WayCosts,
      many: WayCosts
    ) {
      self.fileSystem = fileSystem
      self.kind = kind
      self.size = size
      self.single = single
      self.many = many
      ratio = (single.ratio * many.ratio).squareRoot()
    }

    var isWrite: Bool { !kind.hasPrefix("read") }

    /// The properties of the request that the routing table sees, except size and other requests.
    var visible: String {
      let direction = isWrite ? "write" : "read"
      return "\(fileSystem) | \(direction)\(kind.hasSuffix("direct") ? ", direct" : "")"
    }
  }

  /// The mean ratio of requests that the routing table cannot distinguish.
  struct Verdict: Codable {
    let visible: String
    let size: Int
    let ratio: Double
    /// The route that follows from the ratio.
    let route: String
    let table: String

    init(_ rows: [Row], _ note: String = "", table: String, by ratio: (Row) -> Double) {
      visible = (rows.first?.visible ?? "") + note
      size = rows.first?.size ?? 0
      let mean = pow(rows.map(ratio).reduce(1, *), 1 / Double(rows.count))
      self.ratio = mean
      route = mean <= 0.85 ? "pool" : "ring"
      self.table = table
    }

    /// Returns the verdicts for requests that the table cannot distinguish.
    static func all(_ rows: [Row]) -> [Self] {
      guard let first = rows.first else { return [] }
      let both = Self(rows, table: first.many.table, by: \.ratio)
      if !first.isWrite { return [both] }
      return [both, Self(rows, ", alone", table: first.single.table, by: \.single.ratio)]
    }
  }

  var environment: [String: String]
  var rows: [Row] = []
  var verdicts: [Verdict] = []
  var skipped: [String] = []

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// Draws the conclusions from all rows.
  mutating func conclude() {
    var seen: [String] = []
    for row in rows where !seen.contains(row.visible) { seen.append(row.visible) }
    verdicts = seen.flatMap { visible in
      let rows = rows.filter { $0.visible == visible }
      return Set(rows.map(\.size)).sorted().flatMap { size in
        Verdict.all(rows.filter { $0.size == size })
      }
    }
  }

  /// Writes `routing.json` and `routing.md` into a directory, if there is one.
  func write(to directory: String?) throws {
    guard let directory else { return }
    let encoder = JSONEncoder()
    // One line: the report has two hundred rows with two dozen numbers each.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: URL(filePath: "\(directory)/routing.json"))
    try Data(markdown().utf8).write(to: URL(filePath: "\(directory)/routing.md"))
  }

  func markdown() -> String {
    var text = "# Routing\n\n" + markdownTable(of: environment)
    text += """

      Processor time of a request in microseconds on the ring and on the pool, and the pool's over
      the ring's, median and spread of the rounds: with one request in flight, and with 16.

      | file system | work | KiB | ring, 1 | pool | ratio | ring, 16 | pool | ratio | mean |
      |---|---|---|---|---|---|---|---|---|---|

      """
    for row in rows {
      let cells = [
        row.fileSystem, row.kind, "\(row.size >> 10)", cells(row.single), cells(row.many),
        figure(row.ratio),
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    text += """

      The table cannot tell cached pages from cold ones, nor blocks that are there from new ones,
      nor how many requests are in flight, but for a write that is alone. A request leaves the ring
      where the geometric mean of the ratios is at most 0.85. A route in bold is not what the figure
      says.

      | file system | request | KiB | mean | table |
      |---|---|---|---|---|

      """
    for line in verdicts {
      let route = line.table == line.route ? line.table : "**\(line.table)**"
      text += "| \(line.visible) | \(line.size >> 10) | \(figure(line.ratio)) | \(route) |\n"
    }
    if !skipped.isEmpty { text += "\nNot measured:\n\n" }
    for line in skipped { text += "- \(line)\n" }
    return text
  }

  private func cells(_ costs: WayCosts) -> String {
    let spread = costs.spread.map(figure).joined(separator: "-")
    return "\(figure(costs.ring)) | \(figure(costs.pool)) | \(figure(costs.ratio)) (\(spread))"
  }

  private func figure(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : "%.0f", value)
  }
}
