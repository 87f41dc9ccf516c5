import Foundation

extension Report {
  /// The rows that a reader sees first, beside all that miss their goals or lose to their rivals.
  private static let headlineRows = [
    "B1.dispatch", "B2.dispatch", "B2.uring", "B3", "B5.random-dispatch", "B6.dispatch", "B6.cp",
    "B7", "B8", "B9.async", "B9.pingpong", "B10.arm", "B11.append-buffers", "B13.ext4", "B13.xfs",
    "B13.ext4-rsync", "B14.ext4", "B15.ext4", "B15.xfs", "B16.small", "B19",
  ]

  /// The rows that a reader sees first, for a chart: chosen ones, all that miss their goals, and
  /// all in which the rival takes less.
  public var headline: Report {
    let lost = rows.filter { !$0.met || $0.ratio < 1 }.map(\.id)
    return filtered { Self.headlineRows.contains($0) || lost.contains($0) }
  }

  private static let start = "<!-- Written by scripts/bench, to the end of the table. -->"
  private static let end = "<!-- The end of the table. -->"

  /// A text whose table of results is this report's; nil where there is no place for one.
  public func replacingHeadline(in text: String) -> String? {
    guard let start = text.range(of: Self.start),
      let end = text.range(of: Self.end, range: start.upperBound..<text.endIndex)
    else { return nil }
    return text[..<start.upperBound] + "\n" + headlineTable() + text[end.lowerBound...]
  }

  /// A short table, and where it was measured.
  private func headlineTable() -> String {
    let places = ["processor", "processors", "kernel", "size"].compactMap { name in
      environment[name].map { "\(name) \($0)" }
    }
    var text = "\n\(places.joined(separator: ", ")). Files are cached and on ext4 unless it says"
    text += " otherwise. A ratio says how many times less time ours takes, or less of what is"
    text += " counted.\n\n| work | beside | ratio | spread | goal |\n"
    text += "|---|---|---|---|---|\n"
    for row in headline.rows {
      let cells = [
        "\(row.work) (\(row.id))", row.rival, Self.short(row.ratio),
        row.spread.map(Self.short).joined(separator: " to "), Self.short(row.goal),
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    if !skipped.isEmpty { text += "\nNot measured:\n\n" }
    for gap in skipped { text += "- \(gap.id): \(gap.reason)\n" }
    return text + "\n"
  }

  static func short(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : "%.0f", value)
  }
}
