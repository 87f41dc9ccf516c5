import CIOChannelsCounting

/// What one operation takes of the allocator, of reference counts, of sleeping threads and of the
/// kernel.
struct Costs {
  var allocations: Double
  var retains: Double
  var sleeps: Double
  /// System calls; none where they are not counted.
  var calls: Double

  /// What the work takes for each operation, the least of several rounds: a busy machine has
  /// threads fall asleep more often, and what is set up once is part of the first round alone.
  static func leastOf(rounds: Int, _ work: Work) throws -> Costs {
    let none = Double.infinity
    var least = Costs(allocations: none, retains: none, sleeps: none, calls: none)
    for _ in 0..<rounds {
      let before = cc_counts_now()
      try work.perform(work.count)
      let after = cc_counts_now()
      func each(_ field: KeyPath<cc_counts, UInt64>) -> Double {
        Double(after[keyPath: field] - before[keyPath: field]) / Double(work.count)
      }
      least.allocations = min(least.allocations, each(\.allocations))
      least.retains = min(least.retains, each(\.retains))
      least.sleeps = min(least.sleeps, each(\.sleeps))
      least.calls = min(least.calls, each(\.calls))
    }
    return least
  }

  /// Whether none is over its bound.
  func keep(_ bounds: Costs) -> Bool {
    allocations <= bounds.allocations && retains <= bounds.retains && sleeps <= bounds.sleeps
      && calls <= bounds.calls
  }
}
