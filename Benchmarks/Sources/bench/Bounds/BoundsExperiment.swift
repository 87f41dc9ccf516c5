import Foundation
import Measure

/// Measures what bounds rows: bare programs in turn with ours and the rival.
struct BoundsExperiment {
  let rows: [Row]
  let bounds: [Bound]
  let size: Size
  let say: (String) -> Void

  private var rounds: Int { size.count(smoke: 1, quick: 3, full: 5) }

  /// Measures the rows whose names begin as wanted, else all, prints them, and writes `bounds.json`
  /// and `bounds.md`, where they may join those that are there.
  func run(
    _ wanted: [String],
    environment: [String: String],
    results: String?,
    joining: Bool
  ) throws {
    var report = try BoundsReport.begun(environment, joining: joining ? results : nil)
    var failed: [String] = []
    for bound in bounds where wanted.isEmpty || wanted.contains(where: bound.id.hasPrefix) {
      guard let row = rows.first(where: { $0.id == bound.id }) else {
        throw CommandFailure(description: "\(bound.id) bounds no row")
      }
      do {
        report.keep(try line(row, bound))
      } catch let reason as Skipped {
        say("bounds: \(row.id): skipped, \(reason)")
        report.skip(row.id, reason.description)
      } catch {
        say("bounds: \(row.id): failed, \(error)")
        report.skip(row.id, "failed: \(error)")
        failed.append(row.id)
      }
      report.sort(as: bounds.map(\.id))
      try report.write(to: results)
    }
    print(report.markdown())
    if !failed.isEmpty {
      throw CommandFailure(description: "failed: \(failed.joined(separator: ", "))")
    }
  }

  private func line(_ row: Row, _ bound: Bound) throws -> BoundsReport.Line {
    let sides = try row.sides(size)
    var kernel: [Double] = []
    let ours = Bound.Way(name: "ours") {
      let taken = try sides.ours()
      if let seconds = taken.use?.kernelSeconds { kernel.append(seconds) }
      return taken.number
    }
    let theirs = Bound.Way(name: row.rival) { try sides.theirs().number }
    let ways = try [ours, theirs] + bound.ways(size)
    var numbers = ways.map { _ in [Double]() }
    for round in 0..<rounds {
      let order = Array(ways.indices)
      // Who comes first leaves another machine behind.
      for way in round % 2 == 0 ? order : order.reversed() {
        numbers[way].append(try ways[way].measure())
      }
      say("bounds: \(row.id): round \(round + 1): \(numbers.map { $0.last ?? 0 }) \(row.unit)")
    }
    var figures = zip(ways, numbers).map { BoundsReport.Figure(who: $0.name, $1) }
    if !kernel.isEmpty, ReportPart(of: row.id) == .copies {
      let processors = Double(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      let shares = kernel.map { $0 / processors }
      figures.append(.init(who: "ours, the kernel's part alone on all processors", shares))
    }
    return .init(id: row.id, goal: row.goal, unit: row.unit, figures: figures)
  }
}
