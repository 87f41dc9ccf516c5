import Glibc
import Simulation
import Synchronization
import SystemCalls

#if MUTANTS
  import RequestEngine
#endif

/// Runs channels on a simulated kernel.
///
///     simulate --seeds COUNT [--first SEED] [--threads COUNT] [--marks COUNT] [--mutant NAME]
///     simulate --seed SEED [--steps LIST] [--mutant NAME]
///     simulate --mutants
///
/// The first form runs many seeds, and with `--marks` fails when something was met less often. The
/// second form runs one seed and, when it fails without a list of steps, leaves out steps that the
/// failure does not need. The third form lists the defects that the build contains. The status is
/// 0 when everything held, 1 when something did not, 2 for a wrong command.
@main
enum Simulate {
  static func main() {
    guard let command = Command(CommandLine.arguments.dropFirst()) else {
      print("usage: simulate --seeds COUNT [--first SEED] [--threads COUNT] [--marks COUNT]")
      print("       simulate --seed SEED [--steps LIST]")
      print("       simulate --mutants")
      print("either of the first two also with --mutant NAME")
      exit(2)
    }
    reportCrashes()
    do throws(Errno) {
      exit(try run(command) ? 0 : 1)
    } catch {
      print("simulate: cannot open files: \(error)")
      exit(2)
    }
  }

  private static func run(_ command: Command) throws(Errno) -> Bool {
    switch command.work {
    case .list:
      mutantNames.forEach { print($0) }
      return true
    case .one(let seed, let steps):
      return try runOne(seed, steps, command)
    case .many(let seeds, let threads, let bound):
      return try runMany(seeds, threads: threads, bound: bound, command)
    }
  }

  private static func runOne(
    _ seed: UInt64,
    _ steps: StepList?,
    _ command: Command
  ) throws(Errno) -> Bool {
    Campaign.underWay[0].seed.store(seed, ordering: .relaxed)
    let surroundings = try Surroundings()
    let outcome = Simulation.run(seed: seed, steps: steps?.steps, in: surroundings)
    guard let failure = outcome.failure else {
      print("seed \(seed) holds: \(outcome.operations) operations, \(outcome.steps) steps")
      return true
    }
    print("seed \(seed): \(failure)")
    if steps == nil, let (few, shorter) = try Simulation.shrink(seed: seed) {
      print("\(few.steps.count) of \(outcome.steps) steps are enough: \(shorter)")
      print("  \(command.replay(seed)) --steps \(few.text)")
    }
    return false
  }

  private static func runMany(
    _ seeds: Range<UInt64>,
    threads: Int,
    bound: Int,
    _ command: Command
  ) throws(Errno) -> Bool {
    let start = ContinuousClock.now
    let totals = try Campaign(seeds: seeds, threads: threads).run()
    let time = (ContinuousClock.now - start).components.seconds
    if let (seed, failure) = totals.failure {
      print("seed \(seed): \(failure)")
      print("  \(command.replay(seed))")
      return false
    }
    if bound > 0 {
      for mark in Mark.allCases { print("  \(totals.counts[mark.rawValue]) \(mark)") }
    }
    print(
      "\(totals.seeds) seeds hold: \(totals.operations) operations on \(totals.channels) channels"
        + " in \(time) seconds"
    )
    let rare = totals.rare(below: bound)
    if !rare.isEmpty {
      print("met less than \(bound) times: \(rare.map { "\($0)" }.joined(separator: ", "))")
    }
    return rare.isEmpty
  }

  /// Names the seeds under way when a precondition ends the process.
  private static func reportCrashes() {
    Campaign.underWay.forEach { $0.seed.store(.max, ordering: .relaxed) }
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] {
      _ = signal(number) { number in
        for place in Campaign.underWay {
          let seed = place.seed.load(ordering: .relaxed)
          if seed != .max { print("signal \(number) in seed \(seed)") }
        }
        fflush(nil)
        _exit(1)
      }
    }
  }
}
