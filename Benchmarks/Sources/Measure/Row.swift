/// One line of the tables: a piece of work, measured beside another tool.
public struct Row: Sendable {
  /// The number of the goal and a suffix that distinguishes its rows, as in `B13.ext4`.
  public let id: String
  /// A description of the work.
  public let work: String
  /// The name of the other tool.
  public let rival: String
  /// The least ratio that meets the goal.
  public let goal: Double
  /// The unit of both sides; less is better.
  public let unit: String
  /// The variation of the figures of one side, which decides the number of pairs.
  public let variation: Variation
  /// A function that creates the two sides of a measurement, or throws the reason why this machine
  /// cannot measure.
  public let sides: @Sendable (Size) throws -> Sides

  /// Describes a row.
  public init(
    id: String,
    work: String,
    rival: String,
    goal: Double,
    unit: String = "s",
    variation: Variation = .usual,
    sides: @escaping @Sendable (Size) throws -> Sides
  ) {
    self.id = id
    self.work = work
    self.rival = rival
    self.goal = goal
    self.unit = unit
    self.variation = variation
    self.sides = sides
  }
}

extension Row {
  /// Creates a row of a count that has a bound in place of another tool.
  public init(
    bound: Int,
    unit: String,
    id: String,
    work: String,
    rival: String? = nil,
    count: @escaping @Sendable (Size) throws -> Double
  ) {
    self.init(
      id: id,
      work: work,
      rival: rival ?? "\(bound) \(unit)",
      goal: 1,
      unit: unit,
      variation: .none
    ) { size in
      Sides(ours: { try count(size) }, theirs: { Double(bound) })
    }
  }
}

/// The variation of the figures of one side of a row.
public enum Variation: Sendable {
  /// Counts, for which one pair is enough.
  case none
  /// Times of pairs that take minutes, or that nothing prepares, and counts that the machine
  /// changes: none of them warms up.
  case unprepared
  /// Times.
  case usual
  /// Times that new memory, or how often a thread sleeps, may multiply.
  case large
}

/// The extent of a run.
public enum Size: String, Sendable {
  /// One pair and sizes that say nothing: whether the rows can be measured at all.
  case smoke
  /// Three pairs and reduced sizes, and nothing that warms up, which the median does without.
  case quick
  /// At least five pairs.
  case full

  /// Chooses a count; a smoke run that names none takes the one for quick runs.
  public func count(smoke: Int? = nil, quick: Int, full: Int) -> Int {
    switch self {
    case .smoke: smoke ?? quick
    case .quick: quick
    case .full: full
    }
  }

  /// Returns the number of pairs of a row.
  func pairs(of row: Row) -> Int {
    switch row.variation {
    case .none: 1
    case .usual, .unprepared: count(smoke: 1, quick: 3, full: 5)
    case .large: count(smoke: 1, quick: 3, full: 9)
    }
  }

  /// Whether a pair that does not count comes first.
  func warmsUp(_ row: Row) -> Bool {
    switch row.variation {
    case .none, .unprepared: false
    case .usual, .large: self == .full
    }
  }
}

/// The two sides of a row, measured in turn. Each call does the work once and returns its cost,
/// without preparations and checks.
public struct Sides {
  /// Our side.
  public let ours: () throws -> Taken
  /// The side of the other tool.
  public let theirs: () throws -> Taken
  /// A function that takes the tails of single operations of both sides, if the row has them.
  public private(set) var tails: (() throws -> (ours: Tail, theirs: Tail))?

  /// Pairs two sides that count something.
  public init(ours: @escaping () throws -> Double, theirs: @escaping () throws -> Double) {
    self.ours = { Taken(number: try ours(), use: nil) }
    self.theirs = { Taken(number: try theirs(), use: nil) }
  }

  /// Pairs two sides that take time.
  public init(ours: @escaping () throws -> Timing, theirs: @escaping () throws -> Timing) {
    self.ours = { Taken(try ours()) }
    self.theirs = { Taken(try theirs()) }
  }

  /// Adds the tails of single operations, which are taken once, after the pairs.
  public func with(tails: @escaping () throws -> (ours: Tail, theirs: Tail)) -> Sides {
    var sides = self
    sides.tails = tails
    return sides
  }
}

/// The result of one side of a pair.
public struct Taken: Sendable, Equatable {
  /// The number of the row's unit, of which less is better.
  public let number: Double
  /// The use of processors, where a time was measured.
  public let use: ProcessorUse?

  init(number: Double, use: ProcessorUse?) {
    self.number = number
    self.use = use
  }

  init(_ timing: Timing) {
    self.init(number: timing.duration / .seconds(1), use: timing.use)
  }
}

/// A row cannot be measured on this machine.
public struct Skipped: Error, CustomStringConvertible {
  /// The reason.
  public let description: String

  /// Gives the reason.
  public init(_ description: String) {
    self.description = description
  }
}
