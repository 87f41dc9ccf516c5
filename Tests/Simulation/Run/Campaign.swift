import QueueRuntime
package import Synchronization
package import IOChannelsSystem

/// Many seeds on a few threads, up to the first one that fails.
package struct Campaign: Sendable {
  /// How often each mark was met, and by what.
  package struct Totals: Sendable {
    /// In the order of all marks.
    package var counts = [Int](repeating: 0, count: Mark.allCases.count)
    package var seeds = 0
    package var operations = 0
    package var channels = 0
    /// The lowest seed that failed, and how.
    package var failure: (seed: UInt64, message: String)?

    /// The marks that were met less than `bound` times.
    package func rare(below bound: Int) -> [Mark] {
      Mark.allCases.filter { counts[$0.rawValue] < bound }
    }
  }

  /// The seed that each thread is at, for when the process ends in the middle of one.
  package static let underWay = (0..<8).map { _ in Place() }

  /// A seed, or `UInt64.max`.
  package final class Place: Sendable {
    package let seed = Atomic<UInt64>(.max)
  }

  private static let block: UInt64 = 50

  private let seeds: Range<UInt64>
  private let threads: Int
  private let order: Simulation.Order

  /// - Parameters:
  ///   - seeds: What is run.
  ///   - order: Who decides between steps that may be taken.
  ///   - threads: On how many threads, at most 8.
  package init(seeds: Range<UInt64>, order: Simulation.Order = .chance, threads: Int) {
    self.seeds = seeds
    self.order = order
    self.threads = min(max(1, threads), Self.underWay.count)
  }

  /// Runs the seeds.
  ///
  /// - Throws: What the system says when files cannot be opened.
  package func run() throws(SystemError) -> Totals {
    let next = Atomic<UInt64>(seeds.lowerBound)
    let all = Mutex((totals: Totals(), error: SystemError?.none))
    WorkQueue.concurrentPerform(iterations: threads) { thread in
      var own = Totals()
      do throws(SystemError) {
        try work(from: next, at: Self.underWay[thread], &own)
      } catch {
        all.withLock { $0.error = error }
      }
      all.withLock { $0.totals.add(own) }
    }
    let (totals, error) = all.withLock { $0 }
    if let error { throw error }
    return totals
  }

  private func work(
    from next: borrowing Atomic<UInt64>,
    at place: Place,
    _ totals: inout Totals
  ) throws(SystemError) {
    let surroundings = try Surroundings()
    defer { place.seed.store(.max, ordering: .relaxed) }
    while true {
      let first = next.add(Self.block, ordering: .relaxed).oldValue
      guard first < seeds.upperBound else { return }
      for seed in first..<min(first + Self.block, seeds.upperBound) {
        place.seed.store(seed, ordering: .relaxed)
        let outcome = Simulation.run(seed: seed, order: order, in: surroundings)
        totals.add(outcome)
        guard let failure = outcome.failure else { continue }
        totals.failure = (seed, failure)
        next.store(seeds.upperBound, ordering: .relaxed)
        return
      }
    }
  }
}

extension Campaign.Totals {
  fileprivate mutating func add(_ outcome: Simulation.Outcome) {
    seeds += 1
    operations += outcome.operations
    channels += outcome.channels
    for index in counts.indices { counts[index] += outcome.counts[index] }
  }

  fileprivate mutating func add(_ other: Self) {
    seeds += other.seeds
    operations += other.operations
    channels += other.channels
    for index in counts.indices { counts[index] += other.counts[index] }
    if let found = other.failure, found.seed < failure?.seed ?? .max { failure = found }
  }
}
