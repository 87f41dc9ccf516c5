import Foundation
import Measure

/// The commands `list`, `run`, `draw`, `costs`, `copies` and `routing`, and those that `run` starts
/// in a process of its own, `turn` and `copyitem`. All of them take the options of `Options`.
@main
enum Bench {
  static func main() {
    do {
      try obey(CommandLine.arguments.dropFirst())
    } catch {
      say("\(error)")
      exit(1)
    }
  }

  private static func obey(_ arguments: ArraySlice<String>) throws {
    let options = try Options(arguments.dropFirst())
    switch arguments.first {
    case "list":
      for row in options.rows { print("\(row.id)\t\(row.work)\tbeside \(row.rival)") }
    case "run": try measure(options)
    case "draw":
      let file = URL(filePath: "\(options.results ?? ".")/latest.json")
      var report = try Report(json: Data(contentsOf: file))
      report.hold(against: options.rows)
      report.sort(as: options.rows.map(\.id))
      try keep(report, options)
      try draw(report, options)
    case "routing":
      try RoutingExperiment(programs: options.programs, size: options.size, say: say)
        .run(environment: options.environment(), results: options.results)
    case "copies":
      if options.size != .full { FreeMemory.onlyTouch() }
      try CopyGrid(programs: options.tools, size: options.size, say: say)
        .measure(environment: try options.environment(), results: options.results)
    case "costs": try keepCosts(options)
    case let name? where try doWork(name, options.wanted): break
    default:
      print("usage: bench list | run | draw | costs | copies | routing")
      print("  [--quick | --smoke] [--programs DIR] [--results DIR] [--page FILE] [--seed N]")
      print("  [--disk DIR] [--resume] [ROW]...")
      exit(2)
    }
  }

  /// Does what is measured in a process of its own.
  ///
  /// - Returns: Whether there is such work.
  private static func doWork(_ name: String, _ arguments: [String]) throws -> Bool {
    switch name {
    case "turn":
      guard let turn = arguments.first.flatMap(Turn.init) else {
        throw CommandFailure(description: "no such turn: \(arguments)")
      }
      print(try turn.measure())
    case "copyitem" where arguments.count == 2:
      try FileManager.default.copyItem(atPath: arguments[0], toPath: arguments[1])
    default: return false
    }
    return true
  }

  private static func measure(_ options: Options) throws {
    if options.size != .full { FreeMemory.onlyTouch() }
    var report = try begun(options)
    let known = report.names
    var overBound: [String] = []
    var failed: [String] = []
    for row in options.rows
    where (options.wanted.isEmpty || options.wanted.contains(where: row.id.hasPrefix))
      && !known.contains(row.id)
    {
      do {
        let result = try Measurement(of: row, size: options.size, progress: say)
        if result.isOverBound { overBound.append(row.id) }
        report.add(result)
      } catch let reason as Skipped {
        say("\(row.id): skipped, \(reason)")
        report.add(skipped: row, reason: reason.description)
      } catch {
        say("\(row.id): failed, \(error)")
        report.add(skipped: row, reason: "failed: \(error)")
        failed.append(row.id)
      }
      // Results are kept, however the run ends.
      try keep(report, options)
    }
    report.sort(as: options.rows.map(\.id))
    if let memory = FreeMemory.description { report.describe("memory", memory) }
    report.describe("load at the end", try loadOfMachine())
    print(report.markdown())
    try keep(report, options)
    try draw(report, options)
    if !failed.isEmpty {
      throw CommandFailure(description: "failed: \(failed.joined(separator: ", "))")
    }
    if options.size == .smoke, !overBound.isEmpty {
      throw CommandFailure(description: "over their bounds: \(overBound.joined(separator: ", "))")
    }
  }

  /// Returns an empty report, or the one that an interrupted run of the same has left behind.
  private static func begun(_ options: Options) throws -> Report {
    let empty = Report(environment: try options.environment())
    guard options.resumes, let directory = options.results else { return empty }
    let file = URL(filePath: "\(directory)/latest.json")
    var found = try Report(json: Data(contentsOf: file))
    found.environment = try found.environment.joined(by: empty.environment)
    found.revision = empty.revision
    return found
  }

  /// Counts what operations take beside time, and writes `costs.md`.
  private static func keepCosts(_ options: Options) throws {
    let file = try output("mktemp", "\(options.disk)/iochannels-bench.XXXXXXXX")
      .trimmingCharacters(in: .newlines)
    defer { try? run("rm", "-f", file) }
    let table = try output("\(options.programs)/operationcosts", file)
    let text = """
      # Costs

      What one operation takes beside time, the least of ten rounds, and in brackets what it may.

      \(markdownTable(of: try options.environment()))
      \(table)
      """
    print(text)
    guard let directory = options.results else { return }
    try Data(text.utf8).write(to: URL(filePath: "\(directory)/costs.md"))
  }

  /// Writes the numbers of what was measured.
  private static func keep(_ report: Report, _ options: Options) throws {
    guard let directory = options.results else { return }
    try run("mkdir", "-p", directory)
    try report.json().write(to: URL(filePath: "\(directory)/latest.json"))
  }

  /// Writes tables and charts of what was measured.
  private static func draw(_ report: Report, _ options: Options) throws {
    if let directory = options.results {
      func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(directory)/latest\(name)"))
      }
      try write(report.markdown(), ".md")
      try write(Chart(report.headline).svg(), ".svg")
      for part in ReportPart.allCases {
        try write(Chart(report.part(part), title: part.title).svg(), "-\(part.rawValue).svg")
      }
    }
    // A page without a place for the table stays as it is.
    if let page = options.page,
      let written = report.replacingHeadline(in: try String(contentsOfFile: page, encoding: .utf8))
    {
      try Data(written.utf8).write(to: URL(filePath: page))
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data("bench: \(line)\n".utf8))
  }
}
