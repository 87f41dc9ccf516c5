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
    var report = try SettingsReport.begun(environment, joining: joining ? results : nil)
    // Those that build come first, as the last ones have all memory in use.
    let tables = [
      ("turns", turns), ("closures", closures), ("shares", shares), ("buffers", buffers),
      ("nodes", nodes), ("appends", appends), ("owned", owned), ("firsts", firsts),
      ("ends", ends), ("parts", parts), ("entries", entries), ("batches", batches),
      ("looks", looks), ("outstanding", outstanding), ("steps", steps),
      ("threads", threads), ("reads", readsAtOnce), ("names", names), ("pace", pace),
      ("ahead", ahead), ("peers", writesAtOnce),
      ("jobs", jobs), ("appearance", appearance), ("clones", clones), ("pieces", pieces),
      ("windows", windows), ("direct", direct),
    ]
    let chosen = tables.filter { wanted.isEmpty || wanted.contains(where: $0.0.hasPrefix) }
    if chosen.isEmpty {
      let names = tables.map(\.0).joined(separator: ", ")
      throw CommandFailure(description: "no such table: \(wanted); there are \(names)")
    }
    var failed: [String] = []
    for (name, table) in chosen {
      do {
        report.tables.keep(try table()) { $0.title }
      } catch {
        say("settings: \(name): failed, \(error)")
        failed.append(name)
      }
      try report.write(to: results)
    }
    print(report.markdown())
    if !failed.isEmpty {
      throw CommandFailure(description: "failed: \(failed.joined(separator: ", "))")
    }
  }

  /// Tells how far a table has come.
  func say(_ table: SettingsTable) {
    let last = table.rows.last.map { "\($0.work) \($0.figures.map(\.middle)) \(table.unit)" }
    say("settings: \(table.title), \(table.skipped.count) skipped, \(last ?? "none measured")")
  }
}
