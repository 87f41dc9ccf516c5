import Glibc
import Simulation
import Synchronization
import IOChannelsSystem

/// Runs channels on a simulated kernel.
///
///     simulate --seeds COUNT [--first SEED] [--threads COUNT] [--marks COUNT]
///     simulate --seed SEED [--steps LIST]
///     simulate --calls COUNT [--unusual COUNT] [--limit RUNS] [--threads COUNT]
///     simulate --choices PROGRAM/UNUSUAL/LIST
///     simulate --list FILE
///     simulate --mutants
///
/// The first form runs many seeds, and with `--marks` fails when something was met less often. The
/// second form runs one seed and, when it fails without a list of steps, leaves out steps that the
/// failure does not need. In both, with `--changes COUNT`, steps follow priorities that change so
/// often. The third form tries all that may happen to small programs, the fourth one way of that.
/// The fifth form runs what each line of a file asks for, and the sixth lists the defects that the
/// build contains, of which `--mutant NAME` switches one on for any of the others. The status is 0
/// when everything held, 1 when something did not, 2 for a wrong command.
@main
enum Simulate {
  static func main() {
    guard let command = Command(CommandLine.arguments.dropFirst()) else {
      print("usage: simulate --seeds COUNT [--first SEED] [--threads COUNT] [--marks COUNT]")
      print("       simulate --seed SEED [--steps LIST]")
      print("either of these also with --changes COUNT")
      print("       simulate --calls COUNT [--unusual COUNT] [--limit RUNS] [--threads COUNT]")
      print("       simulate --choices PROGRAM/UNUSUAL/LIST")
      print("       simulate --list FILE")
      print("       simulate --mutants")
      print("any but the last also with --mutant NAME")
      exit(2)
    }
    reportCrashes()
    do throws(SystemError) {
      exit(try run(command) ? 0 : 1)
    } catch {
      print("simulate: cannot open files: \(error)")
      exit(2)
    }
  }

  private static func run(_ command: Command) throws(SystemError) -> Bool {
    switch command.work {
    case .list:
      mutantNames.forEach { print($0) }
      return true
    case .one(let seed, let steps):
      return try runOne(seed, steps, command)
    case .many(let seeds, let threads, let bound):
      return try runMany(seeds, threads: threads, bound: bound, command)
    case .all(let enumeration): return try runAll(enumeration, command)
    case .program(let program, let choices): return try runProgram(program, choices)
    case .file(let path): return try runFile(BytePath(path))
    }
  }

  private static func runAll(_ all: Enumeration, _ command: Command) throws(SystemError) -> Bool {
    let start = ContinuousClock.now
    let totals = try all.run()
    let time = (ContinuousClock.now - start).components.seconds
    if let (choices, failure) = totals.failure {
      print("run \(totals.runs): \(failure)")
      print("  \(command.replay(choices: choices))")
      return false
    }
    print(
      "\(totals.runs) runs of \(totals.programs) programs hold, in \(time) seconds;"
        + " \(totals.cutOff) programs have more"
    )
    return true
  }

  private static func runProgram(_ program: [Int], _ choices: ChoiceList) throws(SystemError)
    -> Bool
  {
    let outcome = Simulation.run(program, choices, in: try Surroundings())
    print(outcome.map { $0.failure ?? "It holds." } ?? "That is no program.")
    return outcome != nil && outcome?.failure == nil
  }

  /// Runs what the lines of a file ask for, but for those that begin with `#`.
  private static func runFile(_ path: BytePath) throws(SystemError) -> Bool {
    let file = try BorrowedDescriptor.workingDirectory.open(path, .readOnly)
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = try file.borrowed.read(into: &piece), count > 0 {
      text += piece[..<count]
    }
    var (holds, count) = (true, 0)
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      count += 1
      guard let command = Command(line.split(separator: " ").map(String.init)) else {
        print("no command: \(line)")
        return false
      }
      if !(try run(command)) {
        print("  in the line: \(line)")
        holds = false
      }
    }
    print("\(count) lines of \(path)")
    return holds
  }

  private static func runOne(
    _ seed: UInt64,
    _ steps: StepList?,
    _ command: Command
  ) throws(SystemError) -> Bool {
    Campaign.underWay[0].seed.store(seed, ordering: .relaxed)
    let surroundings = try Surroundings()
    let outcome = Simulation.run(
      seed: seed,
      steps: steps?.steps,
      order: command.order,
      in: surroundings
    )
    guard let failure = outcome.failure else {
      print("seed \(seed) holds: \(outcome.operations) operations, \(outcome.steps) steps")
      return true
    }
    print("seed \(seed): \(failure)")
    if steps == nil, let (few, shorter) = try Simulation.shrink(seed: seed, order: command.order) {
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
  ) throws(SystemError) -> Bool {
    let start = ContinuousClock.now
    let totals = try Campaign(seeds: seeds, order: command.order, threads: threads).run()
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
        print("signal \(number)")
        for place in Campaign.underWay {
          let seed = place.seed.load(ordering: .relaxed)
          if seed != .max { print("  simulate --seed \(seed)") }
        }
        fflush(nil)
        _exit(1)
      }
    }
  }
}
