import Foundation
import Measure

/// `bench list`, `bench draw`, `bench bounds`, `bench costs`, `bench routing`, `bench settings`,
/// `bench ours` and `bench run`, and what these run in processes of their own, `bench turn` and
/// `bench copyitem`; all of them take `[--quick | --smoke] [--programs DIR] [--results DIR]
/// [--page FILE] [--seed N] [--disk DIR] [--resume] [ROW]...`.
@main
enum Bench {
  private struct Options {
    var size = Size.full
    var programs = ".build/release"
    var results: String?
    /// A page with a table of the results.
    var page: String?
    /// Where a file lies on a disk.
    var disk = "/var/tmp"
    var seed: UInt64 = 20_240_601
    var wanted: [String] = []
    /// Whether rows join those that the results have.
    var resumes = false

    init(_ arguments: some Sequence<String>) throws {
      var rest = arguments.makeIterator()
      while let argument = rest.next() {
        switch argument {
        case "--quick": size = .quick
        case "--smoke": size = .smoke
        case "--resume": resumes = true
        case "--programs": programs = rest.next() ?? programs
        case "--disk": disk = rest.next() ?? disk
        case "--results": results = rest.next()
        case "--page": page = rest.next()
        case "--seed": seed = rest.next().flatMap { UInt64($0) } ?? seed
        case _ where argument.hasPrefix("-"):
          throw CommandFailure(description: "not understood: \(argument)")
        default: wanted.append(argument)
        }
      }
    }

    /// What the copier is measured with.
    var tools: Programs { Programs(directory: programs, seed: seed, disk: disk) }

    var rows: [Row] {
      let direct = DirectReads(programs: programs, disk: disk).rows
      let reads = RandomRead.rows + EngineReads.rows(programs: programs) + direct
      let queues = Queues.rows + Timers.rows + Buffers.rows + Outstanding.rows
      let transfers = StreamWrite.rows + TaskRead.rows + PipeRelay.rows
      // The last ones, as they have all memory in use from then on.
      let copies =
        ChannelCopy.rows + TreeCopy.rows(tools) + FileCopies.rows(tools) + ShapeCopies.rows(tools)
      return StreamRead.rows + reads + transfers + queues + copies + CopyCosts.rows(tools)
    }
  }

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
      report.setGoals(of: options.rows)
      try keep(report, options)
      try draw(report, options)
    case "routing":
      try RoutingExperiment(programs: options.programs, size: options.size, say: say)
        .run(environment: environment(options), results: options.results)
    case "settings":
      if options.size == .smoke { FreeMemory.onlyTouch() }
      try SettingsExperiment(programs: options.tools, size: options.size, say: say)
        .run(
          options.wanted,
          environment: environment(options),
          results: options.results,
          joining: options.resumes
        )
    case "bounds":
      if options.size != .full { FreeMemory.onlyTouch() }
      try BoundsExperiment(
        rows: options.rows,
        bounds: Bound.all(options.tools),
        size: options.size,
        say: say
      )
      .run(
        options.wanted,
        environment: environment(options),
        results: options.results,
        joining: options.resumes
      )
    case "costs": try keepCosts(options)
    case "ours":
      FreeMemory.onlyTouch()
      for row in options.rows where options.wanted.contains(row.id) {
        let sides = try row.sides(options.size)
        _ = try sides.ours()
        print(try sides.ours().number)
      }
    case "turn":
      guard let turn = options.wanted.first.flatMap(Turn.init) else {
        throw CommandFailure(description: "no such turn: \(options.wanted)")
      }
      print(try turn.measure())
    case "copyitem" where options.wanted.count == 2:
      try FileManager.default.copyItem(atPath: options.wanted[0], toPath: options.wanted[1])
    default:
      print("usage: bench list | run | ours | draw | bounds | costs | routing | settings")
      print("  [--quick | --smoke] [--programs DIR] [--results DIR] [--page FILE] [--seed N]")
      print("  [--disk DIR] [--resume] [ROW]...")
      exit(2)
    }
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
      // What has been measured is kept, however the run ends.
      try keep(report, options)
    }
    report.sort(as: options.rows.map(\.id))
    if let memory = FreeMemory.description { report.describe("memory", memory) }
    report.describe("load at the end", try load())
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

  /// An empty report, or the one that an interrupted run of the same has left behind.
  private static func begun(_ options: Options) throws -> Report {
    let empty = Report(environment: try environment(options))
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

      \(markdownTable(of: try environment(options)))
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
    if let page = options.page {
      let text = try String(contentsOfFile: page, encoding: .utf8)
      guard let written = report.replacingHeadline(in: text) else {
        throw CommandFailure(description: "\(page) has no place for results")
      }
      try Data(written.utf8).write(to: URL(filePath: page))
    }
  }

  private static func environment(_ options: Options) throws -> [String: String] {
    func firstLine(_ text: String) -> String {
      text.split(separator: "\n").first.map(String.init) ?? ""
    }
    return [
      // What a distributor adds to the version is left out.
      "kernel": String(firstLine(try output("uname", "-r")).prefix { $0 != "-" }),
      "processor": firstLine(try output("sed", "-n", "s/^model name.*: //p", "/proc/cpuinfo")),
      "processors": firstLine(try output("nproc")),
      "cp": firstLine(try output("cp", "--version")),
      "rsync": firstLine((try? output("rsync", "--version")) ?? "not installed"),
      "fio": firstLine((try? output("fio", "--version")) ?? "not installed"),
      "date": firstLine(try output("date", "-u", "+%Y-%m-%d")),
      "revision": firstLine((try? output("git", "describe", "--always", "--dirty")) ?? "unknown"),
      "disk": "\(options.disk), \(try fileSystem(of: options.disk))",
      "file systems": "ext4 (no clones), xfs and btrfs (clones), images in memory; for what is "
        + "cold, images on the disk, without a cache below them",
      "load at the start": try load(),
      "swift": firstLine(try output("swift", "--version")),
      "size": options.size.rawValue,
      "seed": "\(options.seed)",
    ]
  }

  /// What a directory lies on.
  private static func fileSystem(of directory: String) throws -> String {
    try output("findmnt", "-n", "-o", "FSTYPE", "-T", directory)
      .trimmingCharacters(in: .newlines)
  }

  private static func load() throws -> String {
    try String(contentsOfFile: "/proc/loadavg", encoding: .utf8).split(separator: " ").prefix(1)
      .joined()
  }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data("bench: \(line)\n".utf8))
  }
}
