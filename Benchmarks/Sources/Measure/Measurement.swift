/// The result of a row.
public struct Measurement: Sendable {
  /// The row.
  public let row: Row
  /// The numbers of our side, in the order of the pairs.
  public let ours: [Taken]
  /// The numbers of the other tool, in the same order.
  public let theirs: [Taken]
  /// The tails of single operations of both sides, if the row has them.
  public let tails: (ours: Tail, theirs: Tail)?

  /// The number of the other tool over that of this package, for each pair.
  public var ratios: [Double] { zip(theirs, ours).map { $0.number / $1.number } }
  /// The median of the pairs' ratios.
  public var ratio: Double { median(ratios) }
  /// The lowest and the highest ratio of a pair.
  public var spread: ClosedRange<Double> {
    (ratios.min() ?? 0)...(ratios.max() ?? 0)
  }
  /// The ratio of the least numbers of both sides, which a disturbance of some runs leaves alone.
  public var best: Double {
    (theirs.map(\.number).min() ?? 0) / (ours.map(\.number).min() ?? 1)
  }
  /// Whether the median reaches the goal.
  public var isMet: Bool { ratio >= row.goal }
  /// Whether this is a count that is over its bound, which no noise explains.
  public var isOverBound: Bool { row.variation == .none && !isMet }

  /// Returns the medians of one kind of use, first of this package, then of the other tool; nil if
  /// either side has none.
  func medians(of use: (ProcessorUse) -> Double?) -> [Double]? {
    let sides = [ours, theirs].map { $0.compactMap { $0.use.flatMap(use) } }
    return sides.contains(where: \.isEmpty) ? nil : sides.map(median)
  }

  /// Takes the pairs of a row: one to warm up, then the counted ones.
  ///
  /// This package comes first in one pair and last in the next, because the first side leaves a
  /// different machine behind: memory that was touched, a disk that has still to write. Only a full
  /// run warms up, and no row of counts and none whose pairs are unprepared.
  public init(of row: Row, size: Size, progress: (String) -> Void) throws {
    self.row = row
    let sides = try row.sides(size)
    if size.warmsUp(row) {
      progress("\(row.id): warming up")
      _ = try (sides.ours(), sides.theirs())
    }
    var ours: [Taken] = []
    var theirs: [Taken] = []
    for pair in 1...size.pairs(of: row) {
      if pair % 2 == 1 { ours.append(try sides.ours()) }
      theirs.append(try sides.theirs())
      if pair % 2 == 0 { ours.append(try sides.ours()) }
      let figures = (ours.last?.number ?? 0, theirs.last?.number ?? 0)
      progress("\(row.id): pair \(pair): \(figures.0), \(row.rival) \(figures.1) \(row.unit)")
    }
    self.ours = ours
    self.theirs = theirs
    tails = try sides.tails?()
  }
}

/// Returns the middle value, the mean of the two middle ones of an even count, or 0 of nothing.
public func median(_ values: [Double]) -> Double {
  if values.isEmpty { return 0 }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
