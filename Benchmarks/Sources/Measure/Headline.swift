import Foundation

extension Report {
  /// The rows that a reader sees first, with the common tools for each kind of work. They were
  /// chosen by their questions, and results do not change the choice.
  private static let headlineRows: Set = [
    "B1.dispatch", "B1.pread", "B2.dispatch", "B2.uring", "B3", "B3.channel", "B4.channel",
    "B5.stream-dispatch", "B5.random-pwrite", "B6.dispatch", "B6.cp", "B7", "B8", "B9.async",
    "B9.concurrent", "B9.pingpong", "B10.arm", "B11.append-buffers", "B12.channel-reads",
    "B13.ext4", "B13.ext4-rsync", "B13.xfs", "B14.ext4", "B15.ext4", "B16.small", "B16.sparse",
    "B19",
  ]

  /// The rows that a reader sees first, for a chart.
  public var headline: Report { filtered(Self.headlineRows.contains) }

  private static let start = "<!-- Written by scripts/bench, to the end of the table. -->"
  private static let end = "<!-- The end of the table. -->"

  /// Returns a text whose table of results is that of this report, or nil if the text has no place
  /// for one.
  public func replacingHeadline(in text: String) -> String? {
    guard let start = text.range(of: Self.start),
      let end = text.range(of: Self.end, range: start.upperBound..<text.endIndex)
    else { return nil }
    return text[..<start.upperBound] + "\n" + headlineTable() + text[end.lowerBound...]
  }

  /// The machine and the tools of the measurement, as far as they are known.
  var places: [String] {
    let machine = [
      "processor", "processors", "machine", "kernel", "disk", "size", "date", "revision",
    ]
    let tools = ["cp", "rsync", "fio", "swift"].compactMap { environment[$0] }
    return machine.compactMap { name in environment[name].map { "\(name): \($0)" } }
      // Programs name themselves, and some put two spaces behind that.
      + tools.map { $0.split(separator: " ").joined(separator: " ") }
  }

  /// Returns a short table, and the place where it was measured.
  private func headlineTable() -> String {
    var text = "\n\(places.joined(separator: "; ")). Files are cached and on ext4 unless it says"
    text += " otherwise; where it names no disk, the file system is an image in memory. A ratio"
    text += " says how many times less time ours takes, or less of what is counted.\n\n"
    text += "| work | beside | ratio | spread | goal | met |\n"
    text += "|---|---|---|---|---|---|\n"
    for row in headline.rows {
      let cells = [
        "\(row.work) (\(row.id))", row.rival, row.shownRatio,
        row.spread.map(Self.short).joined(separator: " to "), Self.short(row.goal),
        row.met ? "yes" : "no",
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    text += "\n" + lists
    if !skipped.isEmpty { text += "\nNot measured:\n\n" }
    for gap in skipped { text += "- \(gap.id): \(gap.reason)\n" }
    return text + "\n"
  }

  /// The rows that are slower than the other tool, miss their goals, or are close to them.
  var lists: String {
    list("are slower than the alternative, or have the higher count", rows.filter { $0.ratio < 1 })
      + list("miss their goals", rows.filter { !$0.met })
      + list("have pairs on both sides of their goals", rows.filter(\.isOpen))
  }

  private func list(_ condition: String, _ found: [Line]) -> String {
    let names = found.map { "`\($0.id)` \($0.shownRatio)" }
    let colon = names.isEmpty ? "" : ": "
    return "- \(names.count) of \(rows.count) rows \(condition)\(colon)"
      + names.joined(separator: ", ") + "\n"
  }

  static func short(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : "%.0f", value)
  }
}

extension Report.Line {
  /// Whether some pairs meet the goal and some miss it.
  var isOpen: Bool {
    let isMet = spread.map { $0 >= goal }
    return isMet.contains(true) && isMet.contains(false)
  }

  /// The ratio, with as many digits as it takes to differ from the goal and from 1.
  var shownRatio: String {
    let short = Report.short(ratio)
    let isClear = [goal, 1].allSatisfy { $0 == ratio || Report.short($0) != short }
    return isClear ? short : String(format: "%.3f", ratio)
  }
}
