import Foundation

/// The table of the routing experiment, as JSON for programs and Markdown for people.
struct RoutingReport: Codable {
  /// One kind of request.
  struct Row: Codable {
    let fileSystem: String
    let kind: String
    let size: Int
    let ring: Double
    let pool: Double
    let ratio: Double
    let spread: [Double]
    let ringTime: Double
    let poolTime: Double
    /// What follows from the figures.
    let route: String
    /// What the routing table says.
    let table: String

    init(fileSystem: String, kind: String, size: Int, _ costs: WayCosts) {
      self.fileSystem = fileSystem
      self.kind = kind
      self.size = size
      ring = costs.ring
      pool = costs.pool
      ratio = costs.ratio
      spread = costs.spread
      ringTime = costs.ringTime
      poolTime = costs.poolTime
      route = costs.ratio <= 0.85 ? "pool" : "ring"
      table = costs.table
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

      Processor time of a request in microseconds on the ring and on the pool, 16 in flight, and the
      pool's over the ring's: median and spread of the rounds. A request leaves the ring where the
      ratio is at most 0.85. Times are from one end to the next.

      | file system | work | KiB | ring | pool | ratio | spread | time, ring | pool | route | table |
      |---|---|---|---|---|---|---|---|---|---|---|

      """
    for row in rows {
      let cells = [
        row.fileSystem, row.kind, "\(row.size >> 10)", figure(row.ring), figure(row.pool),
        figure(row.ratio), row.spread.map(figure).joined(separator: " to "),
        figure(row.ringTime), figure(row.poolTime), row.route,
        row.table == row.route ? row.table : "**\(row.table)**",
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    if !skipped.isEmpty { text += "\nNot measured:\n\n" }
    for line in skipped { text += "- \(line)\n" }
    return text
  }

  private func figure(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : "%.0f", value)
  }
}
