import Foundation
import Measure

/// What one piece of work takes under several settings, a column for each.
struct SettingsTable: Codable {
  /// What a setting took.
  struct Figure: Codable {
    /// The median of the rounds.
    let middle: Double
    let low: Double
    let high: Double

    init(_ values: [Double]) {
      middle = median(values)
      (low, high) = (values.min() ?? 0, values.max() ?? 0)
    }
  }

  struct Row: Codable {
    let work: String
    let figures: [Figure]
  }

  let title: String
  /// What was measured and which setting the copier has, in a paragraph.
  let text: String
  let unit: String
  let settings: [String]
  private(set) var rows: [Row] = []
  /// What could not be measured here, and why.
  private(set) var skipped: [String] = []

  init(_ title: String, unit: String, settings: [String], text: String) {
    self.title = title
    self.text = text
    self.unit = unit
    self.settings = settings
  }

  /// Measures one piece of work under all settings in turn, or notes why that cannot be done here.
  ///
  /// Each round begins with another setting, so that none of several is at an end of most rounds.
  mutating func measure(
    _ work: String,
    rounds: Int,
    _ body: (_ setting: Int) throws -> Double
  ) throws {
    do {
      rows.append(try measured(work, rounds: rounds, body))
    } catch let reason as Skipped {
      skipped.append("\(title), \(work): \(reason)")
    }
  }

  private func measured(
    _ work: String,
    rounds: Int,
    _ body: (_ setting: Int) throws -> Double
  ) throws -> Row {
    var values = settings.map { _ in [Double]() }
    let step = max(1, settings.count / rounds)
    for round in 0..<rounds {
      let first = round * step % settings.count
      for place in settings.indices {
        let setting = (first + place) % settings.count
        values[setting].append(try body(setting))
      }
    }
    return Row(work: work, figures: values.map(Figure.init))
  }

  /// The table, with the least figure of each row, and what is within a tenth of it, in bold.
  func markdown() -> String {
    var text = "\n## \(title)\n\n\(text)\n\n"
    text += "| \(unit) | " + settings.joined(separator: " | ") + " |\n"
    text += "|---" + String(repeating: "|---", count: settings.count) + "|\n"
    for row in rows {
      let least = row.figures.map(\.middle).min() ?? 0
      let cells = row.figures.map { figure in
        let middle = number(figure.middle)
        let shown = figure.middle <= 1.1 * least ? "**\(middle)**" : middle
        return "\(shown) (\(number(figure.low))-\(number(figure.high)))"
      }
      text += "| \(row.work) | " + cells.joined(separator: " | ") + " |\n"
    }
    if !skipped.isEmpty { text += "\nNot measured:\n\n" }
    for line in skipped { text += "- \(line)\n" }
    return text
  }

  private func number(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : "%.0f", value)
  }
}
