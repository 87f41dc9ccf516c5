import Simulation

#if MUTANTS
  import RequestEngine

  /// The defects of this build.
  var mutantNames: [String] { Mutant.allCases.map { "\($0)" } }

  /// Switches a defect on.
  private func activate(_ name: String) -> Bool {
    guard let mutant = Mutant.allCases.first(where: { "\($0)" == name }) else { return false }
    mutant.activate()
    return true
  }
#else
  /// No defects: this is a build for use.
  var mutantNames: [String] { [] }

  private func activate(_ name: String) -> Bool { false }
#endif

/// What the command line asks for.
struct Command {
  enum Work {
    case many(Range<UInt64>, threads: Int, marks: Int)
    case one(UInt64, StepList?)
    case list
  }

  let work: Work
  private let mutant: String?

  /// Reads the arguments and switches a defect on that they name.
  init?(_ arguments: some Sequence<String>) {
    var values: [String: String] = [:]
    var name: String?
    for argument in arguments {
      if let option = name {
        values[option] = argument
        name = nil
      } else if argument == "--mutants" {
        values[argument] = ""
      } else {
        name = argument
      }
    }
    let known: Set<String> = [
      "--seeds", "--first", "--threads", "--marks", "--seed", "--steps", "--mutant", "--mutants",
    ]
    guard name == nil, known.isSuperset(of: values.keys) else { return nil }
    mutant = values["--mutant"]
    if let mutant, !activate(mutant) { return nil }
    if values["--mutants"] != nil {
      work = .list
    } else if let seed = values["--seed"].flatMap({ UInt64($0) }) {
      let steps = values["--steps"].map { StepList($0) }
      if case .some(nil) = steps { return nil }
      work = .one(seed, steps ?? nil)
    } else if let count = values["--seeds"].flatMap({ UInt64($0) }) {
      guard let first = UInt64(values["--first"] ?? "0"),
        let threads = Int(values["--threads"] ?? "1"),
        let marks = Int(values["--marks"] ?? "0")
      else { return nil }
      work = .many(first..<first + count, threads: threads, marks: marks)
    } else {
      return nil
    }
  }

  /// The command that runs one seed again.
  func replay(_ seed: UInt64) -> String {
    "simulate --seed \(seed)" + (mutant.map { " --mutant \($0)" } ?? "")
  }
}
