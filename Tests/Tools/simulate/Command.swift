import Simulation

#if MUTANTS
  import IOChannelsSystem

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
    case all(Enumeration)
    case program([Int], ChoiceList)
    case file(String)
    case list
  }

  private static let options: Set<String> = [
    "--seeds", "--first", "--threads", "--marks", "--changes", "--seed", "--steps", "--calls",
    "--unusual", "--limit", "--choices", "--list", "--mutant", "--mutants",
  ]

  let work: Work
  let order: Simulation.Order
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
    guard name == nil, Self.options.isSuperset(of: values.keys),
      let work = Self.work(values) ?? Self.workOnPrograms(values)
    else { return nil }
    self.work = work
    mutant = values["--mutant"]
    if let mutant, !activate(mutant) { return nil }
    let changes = values["--changes"].map { Int($0) }
    if case .some(nil) = changes { return nil }
    order = changes.flatMap(\.self).map { .priorities(changes: $0) } ?? .chance
  }

  private static func work(_ values: [String: String]) -> Work? {
    if values["--mutants"] != nil { return .list }
    if let file = values["--list"] { return .file(file) }
    if let seed = values["--seed"].flatMap({ UInt64($0) }) {
      let steps = values["--steps"].map { StepList($0) }
      if case .some(nil) = steps { return nil }
      return .one(seed, steps ?? nil)
    }
    guard let count = values["--seeds"].flatMap({ UInt64($0) }),
      let first = UInt64(values["--first"] ?? "0"),
      let threads = Int(values["--threads"] ?? "1"),
      let marks = Int(values["--marks"] ?? "0")
    else { return nil }
    return .many(first..<first + count, threads: threads, marks: marks)
  }

  private static func workOnPrograms(_ values: [String: String]) -> Work? {
    if let text = values["--choices"] {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let numbers = parts.map { $0.split(separator: ",").compactMap { Int($0) } }
      guard numbers.count == 3, let unusual = numbers[1].first else { return nil }
      return .program(numbers[0], ChoiceList(numbers[2], unusualLimit: unusual))
    }
    guard let calls = values["--calls"].flatMap({ Int($0) }), calls > 0,
      let unusual = Int(values["--unusual"] ?? "2"),
      let limit = Int(values["--limit"] ?? "\(Int.max)"), limit > 0,
      let threads = Int(values["--threads"] ?? "1")
    else { return nil }
    return .all(Enumeration(calls: calls, unusual: unusual, limit: limit, threads: threads))
  }

  /// The command that runs one seed again.
  func replay(_ seed: UInt64) -> String {
    var text = "simulate --seed \(seed)"
    if case .priorities(let changes) = order { text += " --changes \(changes)" }
    return text + (mutant.map { " --mutant \($0)" } ?? "")
  }

  /// The command that runs a small program again.
  func replay(choices: String) -> String {
    "simulate --choices \(choices)" + (mutant.map { " --mutant \($0)" } ?? "")
  }
}
