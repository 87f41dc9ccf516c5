import Foundation
import Measure

/// What bare programs took beside ours and the rival, as JSON and Markdown.
struct BoundsReport: KeptReport {
  static let name = "bounds"

  /// What somebody took for the work of a row.
  struct Figure: Codable {
    let who: String
    /// The median of the rounds.
    let middle: Double
    let low: Double
    let high: Double

    init(who: String, _ values: [Double]) {
      self.who = who
      middle = median(values)
      (low, high) = (values.min() ?? 0, values.max() ?? 0)
    }
  }

  /// One row: ours, the rival, and the bare programs.
  struct Line: Codable {
    let id: String
    let goal: Double
    let unit: String
    let figures: [Figure]
  }

  private struct Gap: Codable {
    let id: String
    let reason: String
  }

  var environment: [String: String]
  private var lines: [Line] = []
  private var skipped: [Gap] = []

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// Adds a row, in the place of that with its name if there is one.
  mutating func keep(_ line: Line) {
    skipped.removeAll { $0.id == line.id }
    lines.keep(line) { $0.id }
  }

  /// Notes a row that cannot be measured here, and why.
  mutating func skip(_ id: String, _ reason: String) {
    if !lines.contains(where: { $0.id == id }) {
      skipped.keep(Gap(id: id, reason: reason)) { $0.id }
    }
  }

  /// Puts the rows in an order.
  mutating func sort(as order: [String]) {
    let places = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    lines.sort { places[$0.id, default: order.count] < places[$1.id, default: order.count] }
  }

  /// The report as a table.
  func markdown() -> String {
    var text = "# Bounds\n\n" + markdownTable(of: environment)
    text += """

      What bare programs take for the work of a row, in turn with ours and the rival: the median of
      the rounds, the lowest and the highest. The last column is the rival's median over that of the
      line: where no bare program is at the goal, more than a better library is missing.

      | row | goal | who | median | lowest to highest | rival over it |
      |---|---|---|---|---|---|

      """
    for line in lines { text += line.markdown() }
    if !skipped.isEmpty { text += "\nNot measured:\n\n" }
    for gap in skipped { text += "- \(gap.id): \(gap.reason)\n" }
    return text
  }
}

extension BoundsReport.Line {
  /// A line of the table for each figure; the rival's is the second.
  fileprivate func markdown() -> String {
    let rival = figures.dropFirst().first?.middle ?? 0
    return figures.enumerated().map { index, figure in
      let name = index == 0 ? "`\(id)` | \(goal)" : " | "
      let times = [figure.middle, figure.low, figure.high].map { String(format: "%.4g", $0) }
      let ratio = String(format: "%.2f", rival / figure.middle)
      return "| \(name) | \(figure.who) | \(times[0]) \(unit) | \(times[1]) to \(times[2])"
        + " | \(ratio) |\n"
    }.joined()
  }
}
