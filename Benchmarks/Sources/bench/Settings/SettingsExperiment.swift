import Foundation
import Measure

/// Compares settings: what numbers in the code follow from.
///
/// Each table holds one number against others, over sizes and file systems. Runs under different
/// settings take turns; every run that copies gets a new file system, and every copy is compared
/// with its source.
struct SettingsExperiment {
  let programs: Programs
  let size: Size
  let say: (String) -> Void

  private struct Report: Codable {
    var environment: [String: String]
    var tables: [SettingsTable] = []

    /// Adds a table, in the place of that with its title if there is one.
    mutating func keep(_ table: SettingsTable) {
      if let place = tables.firstIndex(where: { $0.title == table.title }) {
        tables[place] = table
      } else {
        tables.append(table)
      }
    }
  }

  var rounds: Int { size.count(smoke: 1, quick: 3, full: 5) }
  var kinds: [String] { ["ext4", "xfs", "btrfs"] }

  /// Measures the tables whose names begin as wanted, else all, prints them, and writes
  /// `settings.json` and `settings.md`, where they may join those that are there.
  func run(
    _ wanted: [String],
    environment: [String: String],
    results: String?,
    joining: Bool
  ) throws {
    var report = Report(environment: environment)
    if joining, let results {
      let file = URL(filePath: "\(results)/settings.json")
      report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: file))
      report.environment = try report.environment.joined(by: environment)
    }
    // Those that build come first, as the last ones have all memory in use.
    let tables = [
      ("turns", turns), ("closures", closures), ("shares", shares), ("buffers", buffers),
      ("nodes", nodes), ("appends", appends), ("ends", ends), ("parts", parts),
      ("entries", entries), ("batches", batches), ("steps", steps), ("threads", threads),
      ("reads", readsAtOnce), ("names", names), ("pace", pace), ("jobs", jobs),
      ("appearance", appearance), ("clones", clones), ("pieces", pieces), ("windows", windows),
      ("direct", direct),
    ]
    let chosen = tables.filter { wanted.isEmpty || wanted.contains(where: $0.0.hasPrefix) }
    if chosen.isEmpty {
      let names = tables.map(\.0).joined(separator: ", ")
      throw CommandFailure(description: "no such table: \(wanted); there are \(names)")
    }
    for (_, table) in chosen {
      report.keep(try table())
      try write(report, to: results)
    }
    print(markdown(report))
  }

  private func write(_ report: Report, to results: String?) throws {
    guard let results else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(report).write(to: URL(filePath: "\(results)/settings.json"))
    try Data(markdown(report).utf8).write(to: URL(filePath: "\(results)/settings.md"))
  }

  private func markdown(_ report: Report) -> String {
    var text = "# Settings\n\n" + markdownTable(of: report.environment)
    text += """

      What the work of a row takes under each setting: the median of the rounds, the lowest and the
      highest. In bold what is within a tenth of the least.

      """
    return text + report.tables.map { $0.markdown() }.joined()
  }

  /// Tells how far a table has come.
  func say(_ table: SettingsTable) {
    let last = table.rows.last.map { "\($0.work) \($0.figures.map(\.middle)) \(table.unit)" }
    say("settings: \(table.title), \(table.skipped.count) skipped, \(last ?? "none measured")")
  }
}
