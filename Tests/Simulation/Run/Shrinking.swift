package import IOChannelsSystem

extension StepList {
  /// Leaves out steps as long as the rest still fails: halves, quarters, at last single steps.
  ///
  /// Every run leaves steps out or moves on, and the last size is repeated only if a step went: the
  /// runs are bounded by the square of the number of steps.
  ///
  /// - Parameter fails: Whether a run of these steps fails.
  /// - Returns: The steps that are left.
  /// - Throws: What `fails` throws.
  package func shrunk<Failure>(
    where fails: ([Int]) throws(Failure) -> Bool
  ) throws(Failure) -> StepList {
    var kept = steps
    var size = kept.count
    while size > 0 {
      var start = 0
      let before = kept.count
      while start < kept.count {
        let rest = Array(kept[..<start] + kept[min(start + size, kept.count)...])
        if try fails(rest) { kept = rest } else { start += size }
      }
      // Single steps as often as one goes.
      if size > 1 || kept.count == before { size /= 2 }
    }
    return StepList(kept)
  }
}

extension Simulation {
  /// Leaves out the steps of a failing seed without which the same invariant fails.
  ///
  /// - Parameters:
  ///   - seed: A seed that fails.
  ///   - order: Who decides between steps that may be taken.
  /// - Returns: The steps that are left and what fails with them; `nil` when the seed holds.
  /// - Throws: What the system says when files cannot be opened.
  package static func shrink(
    seed: UInt64,
    order: Order = .chance
  ) throws(SystemError) -> (steps: StepList, failure: String)? {
    let whole = run(seed: seed, order: order, in: try Surroundings())
    guard var failure = whole.failure else { return nil }
    let name = failure.prefix { $0 != ":" }
    let steps = try StepList(Array(0..<whole.steps)).shrunk { (steps) throws(SystemError) in
      // A run that fails leaves its surroundings unusable.
      let outcome = run(seed: seed, steps: steps, order: order, in: try Surroundings())
      guard let found = outcome.failure, found.hasPrefix(name) else { return false }
      failure = found
      return true
    }
    return (steps, failure)
  }
}
