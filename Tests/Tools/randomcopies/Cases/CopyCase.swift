import IOChannelsTestSupport

/// A command line, the files that it finds, and the user that runs it.
struct CopyCase: CustomStringConvertible {
  let seed: UInt64
  let user: Request.User
  let tree: Tree
  let options: [String]
  let sources: [String]
  /// The destination, with `-t` before it if it precedes the sources.
  private let destination: [String]
  /// Whether all questions are answered with yes.
  let agrees: Bool

  /// Creates the case of a seed.
  init(seed: UInt64, user: Request.User, choices: [OptionChoice]) {
    var generator = SeededGenerator(seed: seed)
    self.seed = seed
    self.user = user
    tree = Tree(for: user, using: &generator)
    options = CopyCase.options(of: choices, using: &generator)
    let paths = OperandPaths(tree, options)
    sources = paths.sources(using: &generator)
    let path = paths.destination(of: sources, using: &generator)
    destination = generator.chance(percent: 10) ? ["-t", path] : [path]
    agrees = generator.chance(percent: 50)
  }

  /// The words of the command line after the program's name.
  var words: [String] {
    if destination.count > 1 { return options + destination + ["--"] + sources }
    return options + ["--"] + sources + destination
  }

  /// The command line as a shell takes it.
  var description: String {
    let quoted = words.map { word in
      "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
    }
    return "cp \(quoted.joined(separator: " ")), as \(user), answers \(agrees ? "yes" : "no")"
  }

  private static func options(
    of choices: [OptionChoice],
    using generator: inout SeededGenerator
  ) -> [String] {
    var words: [String] = []
    for _ in 0..<generator.number(in: 0..<5) {
      let word = generator.choose(choices.map { ($0.weight, $0.word) })
      if !words.contains(word) { words.append(word) }
    }
    return words
  }
}

extension SeededGenerator {
  /// Chooses one of several values, each with a weight.
  mutating func choose<Value>(_ choices: [(Int, Value)]) -> Value {
    let sum = choices.reduce(0) { $0 + $1.0 }
    var rest = number(in: 0..<sum)
    for (weight, value) in choices {
      rest -= weight
      if rest < 0 { return value }
    }
    return choices[choices.count - 1].1
  }
}
