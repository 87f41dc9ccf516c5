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
  /// Makes the two sides for one measurement, or says why it cannot be made here.
  public let sides: @Sendable (Size) throws -> Sides

  /// Describes a row.
  public init(
    id: String,
    work: String,
    rival: String,
    goal: Double,
    sides: @escaping @Sendable (Size) throws -> Sides
  ) {
    self.id = id
    self.work = work
    self.rival = rival
    self.goal = goal
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

/// What is measured in turn. Each call does the work once and returns the time that it took,
/// preparations and checks left out.
public struct Sides {
  /// Our side.
  public let ours: () throws -> Duration
  /// The rival's side.
  public let theirs: () throws -> Duration

  /// Pairs two sides.
  public init(ours: @escaping () throws -> Duration, theirs: @escaping () throws -> Duration) {
    self.ours = ours
    self.theirs = theirs
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
