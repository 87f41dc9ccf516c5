import QueueRuntime
import Synchronization
package import IOChannelsSystem

/// All runs of all small programs with up to some calls and some unlikely events.
///
/// A program with more runs than the limit is cut off there.
package struct Enumeration: Sendable {
  /// What came of the runs.
  package struct Totals: Sendable {
    package var runs = 0
    package var programs = 0
    /// The programs that have more runs.
    package var cutOff = 0
    /// The decisions of a run that failed, and how it did.
    package var failure: (choices: String, message: String)?
  }

  private let calls: Int
  private let unusual: Int
  private let limit: Int
  private let threads: Int

  /// - Parameters:
  ///   - calls: The most calls of a program.
  ///   - unusual: The most unlikely events of a run, faults above all.
  ///   - limit: The most runs of a program.
  ///   - threads: On how many threads, at least 1.
  package init(calls: Int, unusual: Int, limit: Int, threads: Int) {
    self.calls = calls
    self.unusual = unusual
    self.limit = limit
    self.threads = max(1, threads)
  }

  /// Runs everything, up to the first failure.
  ///
  /// - Throws: What the system says when files cannot be opened.
  package func run() throws(SystemError) -> Totals {
    let programs = (0...calls).dropFirst().flatMap { SmallProgram.all(calls: $0) }
    let next = Atomic<Int>(0)
    let all = Mutex((totals: Totals(), error: SystemError?.none))
    WorkQueue.concurrentPerform(iterations: threads) { _ in
      var own = Totals()
      do throws(SystemError) {
        let surroundings = try Surroundings()
        while case let index = next.add(1, ordering: .relaxed).oldValue, index < programs.count {
          run(programs[index], in: surroundings, &own)
          if own.failure != nil { next.store(programs.count, ordering: .relaxed) }
        }
      } catch {
        all.withLock { $0.error = error }
      }
      all.withLock { $0.totals.add(own) }
    }
    let (totals, error) = all.withLock { $0 }
    if let error { throw error }
    return totals
  }

  private func run(_ program: [Int], in surroundings: Surroundings, _ totals: inout Totals) {
    let choices = ChoiceList([], unusualLimit: unusual)
    totals.programs += 1
    for _ in 0..<limit {
      totals.runs += 1
      let outcome = Simulation.run(program, choices, in: surroundings)
      if let failure = outcome?.failure {
        let numbers = program.map { "\($0)" }.joined(separator: ",")
        totals.failure = ("\(numbers)/\(unusual)/\(choices.text)", failure)
        return
      }
      if !choices.advance() { return }
    }
    totals.cutOff += 1
  }
}

extension Enumeration.Totals {
  fileprivate mutating func add(_ other: Self) {
    runs += other.runs
    programs += other.programs
    cutOff += other.cutOff
    failure = failure ?? other.failure
  }
}
