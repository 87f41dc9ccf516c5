import Foundation
import Measure

/// Compares what a request costs on the ring with what it costs as a plain call on the pool.
///
/// A request leaves the ring only where the plain call takes at least 15 % less processor time.
/// A request alone pays for the wakes of its way, and one among many for threads that are in each
/// other's way. The table knows only of a write that it is alone; else the geometric mean of both
/// counts.
/// Other file systems are not compared: the ring does not get their files, whatever they cost
/// there. Both ways alternate in one process of `enginebench`; the figures are medians of its
/// rounds.
struct RoutingExperiment {
  let programs: String
  let size: Size
  let say: (String) -> Void

  /// A kind of work, as `enginebench` names it.
  struct Kind {
    let name: String
    let work: String
    let pages: String

    static let all = [
      Kind(name: "read, cached", work: "read", pages: "cached"),
      Kind(name: "read, cold", work: "read", pages: "cold"),
      Kind(name: "read, direct", work: "read", pages: "direct"),
      Kind(name: "overwrite", work: "overwrite", pages: "cached"),
      Kind(name: "new file", work: "new", pages: "cached"),
      Kind(name: "overwrite, direct", work: "overwrite", pages: "direct"),
      Kind(name: "new file, direct", work: "new", pages: "direct"),
    ]
  }

  private var sizes: [Int] {
    switch size {
    case .smoke: [64 << 10]
    case .quick: [4 << 10, 64 << 10, 1 << 20]
    case .full: [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20]
    }
  }
  private var rounds: Int { size.count(smoke: 1, quick: 3, full: 7) }
  /// No read is larger than the largest buffer.
  private static let largestRead = 1 << 20

  /// Measures everything, prints it, and writes `routing.json` and `routing.md`.
  func run(environment: [String: String], results: String?) throws {
    var environment = environment
    environment["file systems"] = "images in /dev/shm"
    var report = RoutingReport(environment: environment)
    for fileSystem in ["ext4", "xfs", "btrfs", "tmpfs"] {
      do {
        try measure(fileSystem, into: &report)
      } catch let reason as Skipped {
        say("routing: \(fileSystem) skipped, \(reason)")
        report.skipped.append("\(fileSystem): \(reason)")
      }
    }
    report.environment["load at the end"] = try loadOfMachine()
    report.conclude()
    print(report.markdown())
    try report.write(to: results)
  }

  private func measure(_ fileSystem: String, into report: inout RoutingReport) throws {
    let place = try Place(fileSystem)
    for kind in Kind.all {
      for size in sizes where kind.work != "read" || size <= Self.largestRead {
        let single = try measure(kind, size: size, depth: 1, in: place.path)
        let many = try measure(kind, size: size, depth: 16, in: place.path)
        let row = RoutingReport.Row(fileSystem, kind.name, size: size, single: single, many: many)
        say("routing: \(fileSystem), \(kind.name), \(size >> 10) KiB: pool/ring \(row.ratio)")
        report.rows.append(row)
      }
    }
  }

  private func measure(
    _ kind: Kind,
    size: Int,
    depth: Int,
    in directory: String
  ) throws -> WayCosts {
    // The same file for all that reads or overwrites; one that begins empty for the rest.
    let path = "\(directory)/\(kind.work == "new" ? "new" : "file")"
    let bytes = self.size.count(smoke: 4, quick: 64, full: 128) << 20
    let count = min(bytes / size, self.size.count(quick: 1024, full: 4096))
    let text = try output([
      "\(programs)/enginebench", "ways=ring,pool", "rounds=\(rounds)", "work=\(kind.work)",
      "pages=\(kind.pages)", "size=\(size)", "count=\(count)", "depth=\(depth)", "span=\(bytes)",
      "order=\(kind.work == "read" ? "random" : "sequential")", path,
    ])
    return try WayCosts(printed: text)
  }
}

/// A file system to measure on, while the value lives.
private final class Place {
  let path: String
  private let system: FreshFileSystem?

  init(_ kind: String) throws {
    if kind == "tmpfs" {
      system = nil
      path = try output("mktemp", "-d", "/dev/shm/iochannels-bench.XXXXXXXX")
        .trimmingCharacters(in: .newlines)
    } else {
      let made = try FreshFileSystem(kind: kind, gigabytes: 2)
      system = made
      path = made.path
    }
  }

  deinit {
    if system == nil { try? run("rm", "-rf", path) }
  }
}

/// The cost of one kind of request on either way, from the lines of `enginebench`.
struct WayCosts: Codable {
  /// Microseconds of processor time a request, median of the rounds.
  let ring: Double
  let pool: Double
  /// The pool's cost over the ring's: the median of the rounds, and the lowest and the highest.
  let ratio: Double
  let spread: [Double]
  /// Microseconds from one end to the next.
  let ringTime: Double
  let poolTime: Double
  /// The route in the routing table.
  let table: String

  private struct Line: Decodable {
    let way: String
    let requests: Int
    let seconds: Double
    let processor: Double
    let table: String
  }

  init(printed text: String) throws {
    let lines = try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    func figures(_ way: String, _ figure: (Line) -> Double) -> [Double] {
      lines.filter { $0.way == way }.map { figure($0) * 1e6 / Double($0.requests) }
    }
    let costs = (figures("ring", \.processor), figures("pool", \.processor))
    let ratios = zip(costs.0, costs.1).map { $1 / $0 }
    (ring, pool) = (median(costs.0), median(costs.1))
    ratio = median(ratios)
    spread = [ratios.min() ?? 0, ratios.max() ?? 0]
    ringTime = median(figures("ring", \.seconds))
    poolTime = median(figures("pool", \.seconds))
    table = lines.first?.table ?? ""
  }
}
