/// One line of the tables: a piece of work, measured beside a rival.
public struct Row: Sendable {
  /// The goal's number and what tells rows of one goal apart, as in `B13.ext4`.
  public let id: String
  /// What is done, in words.
  public let work: String
  /// Who the rival is.
  public let rival: String
  /// The least ratio that meets the goal.
  public let goal: Double
  /// What is counted for the two sides, of which less is better.
  public let unit: String
  /// Makes the two sides for one measurement, or says why it cannot be made here.
  public let sides: @Sendable (Size) throws -> Sides

  /// Describes a row.
  public init(
    id: String,
    work: String,
    rival: String,
    goal: Double,
    unit: String = "s",
    sides: @escaping @Sendable (Size) throws -> Sides
  ) {
    self.id = id
    self.work = work
    self.rival = rival
    self.goal = goal
    self.unit = unit
    self.sides = sides
  }
}

/// How much a run does.
public enum Size: String, Sendable {
  /// Three pairs and reduced sizes.
  case quick
  /// At least five pairs.
  case full

  var pairs: Int { self == .quick ? 3 : 5 }
}

/// What is measured in turn. Each call does the work once and returns the number of the row's unit
/// that it took, preparations and checks left out.
public struct Sides {
  /// Our side.
  public let ours: () throws -> Double
  /// The rival's side.
  public let theirs: () throws -> Double

  /// Pairs two sides that count something.
  public init(ours: @escaping () throws -> Double, theirs: @escaping () throws -> Double) {
    self.ours = ours
    self.theirs = theirs
  }

  /// Pairs two sides that take time.
  public init(ours: @escaping () throws -> Duration, theirs: @escaping () throws -> Duration) {
    self.init(ours: { try ours() / .seconds(1) }, theirs: { try theirs() / .seconds(1) })
  }
}

/// A row cannot be measured on this machine.
public struct Skipped: Error, CustomStringConvertible {
  /// Why.
  public let description: String

  /// Gives the reason.
  public init(_ description: String) {
    self.description = description
  }
}
