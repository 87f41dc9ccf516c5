import Foundation

/// The table of the routing experiment, as JSON for programs and Markdown for people.
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
    /// The pool's cost over the ring's.
    let ratio: Double
    /// What follows from the ratio.
    let route: String
    /// What the routing table says.
    let table: String

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
      route = ratio <= 0.85 ? "pool" : "ring"
      table = many.table
    }
  }

  var environment: [String: String]
  var rows: [Row] = []
  var skipped: [String] = []

  init(environment: [String: String]) {
    self.environment = environment
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  func markdown() -> String {
    var text = "# Routing\n\n| | |\n|---|---|\n"
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
      text += "| \(name) | \(value) |\n"
    }
    text += """

      Processor time of a request in microseconds on the ring and on the pool, and the pool's over the
      ring's, median and spread of the rounds: with one request in flight, and with 16. A request
      leaves the ring where the geometric mean of the two ratios is at most 0.85. A route in bold
      is not what the figure says.

      | file system | work | KiB | ring, 1 | pool | ratio | ring, 16 | pool | ratio | mean | table |
      |---|---|---|---|---|---|---|---|---|---|---|

      """
    for row in rows {
      let cells = [
        row.fileSystem, row.kind, "\(row.size >> 10)", cells(row.single), cells(row.many),
        figure(row.ratio), row.table == row.route ? row.table : "**\(row.table)**",
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
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
