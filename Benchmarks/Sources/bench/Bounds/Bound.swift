import Measure

/// What bounds a row: the same work by programs that do nothing besides.
struct Bound {
  /// One of them.
  struct Way {
    /// Who does the work.
    let name: String
    /// Does it once and gives the number of the row's unit.
    let measure: () throws -> Double
  }

  /// The row.
  let id: String
  /// Makes them for one measurement.
  let ways: (Size) throws -> [Way]

  /// All of them, in the order of their rows.
  static func all(_ programs: Programs) -> [Bound] {
    channels(programs) + queues + copies(programs)
  }
}

extension Bound.Way {
  /// A program beside this one that prints its number.
  init(_ name: String, _ program: String, _ arguments: [String]) {
    self.init(name: name) { try number(printedBy: [programBeside(program)] + arguments) }
  }
}
