import IOChannelsTestSupport

/// A command line, the files that it finds, and the user that runs it.
struct CopyCase: CustomStringConvertible {
  let seed: UInt64
  let user: Request.User
  let tree: Tree
  /// The options, each with its first name in ``OptionChoice/all``.
  let options: [String]
  let sources: [String]
  /// Variables of the environment that change the meaning of options.
  let environment: [String: String]
  /// The options as the command line has them.
  private let spelling: OptionSpelling
  /// The destination, with `-t` before it if it precedes the sources.
  private let destination: [String]
  /// Whether names inside the destination are copied to it, where a further name of a source may be
  /// overwritten before the source is copied.
  var mayOverwriteSources: Bool {
    let inside = (destination.last ?? "") + "/"
    return sources.contains { $0.hasPrefix(inside) }
      && tree.entries.contains { if case .hardLink = $0.kind { true } else { false } }
  }
  /// Whether the options follow the operands.
  private let endsWithOptions: Bool
  /// Whether all questions are answered with yes.
  let agrees: Bool

  /// Creates the case of a seed.
  init(seed: UInt64, user: Request.User, choices: [OptionChoice]) {
    var generator = SeededGenerator(seed: seed)
    self.seed = seed
    self.user = user
    var tree = Tree(for: user, using: &generator)
    options = CopyCase.options(of: choices, using: &generator)
    // The contents of a FIFO are read for ever.
    if options.contains("--copy-contents") { tree.entries.removeAll { $0.kind == .fifo } }
    self.tree = tree
    spelling = OptionSpelling(options, using: &generator)
    environment = CopyCase.environment(using: &generator)
    let paths = OperandPaths(tree, options)
    sources = paths.sources(using: &generator)
    let path = paths.destination(of: sources, using: &generator)
    destination = generator.chance(percent: 10) ? ["-t", path] : [path]
    // With POSIXLY_CORRECT such options would be operands.
    endsWithOptions = environment["POSIXLY_CORRECT"] == nil && generator.chance(percent: 10)
    agrees = generator.chance(percent: 50)
  }

  /// The words of the command line after the program's name.
  var words: [String] {
    if endsWithOptions { return sources + destination + spelling.words }
    if destination.count > 1 { return spelling.words + destination + ["--"] + sources }
    return spelling.words + ["--"] + sources + destination
  }

  /// Whether existing files become backups.
  var backsUp: Bool {
    options.contains { $0 == "-b" || $0.hasPrefix("--backup") || $0.hasPrefix("--suffix") }
  }

  /// Whether only older files are replaced.
  var updates: Bool { ["-u", "--update", "--update=older"].contains { options.contains($0) } }

  /// Whether the names of one file are linked to one copy.
  var keepsLinks: Bool {
    ["-a", "-d", "--preserve=links", "--preserve=all", "--preserve=mode,links"]
      .contains { options.contains($0) }
  }

  /// The command line as a shell takes it.
  var description: String {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value) " }
    let quoted = words.map { word in
      "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
    }
    let line = "\(variables.joined())cp \(quoted.joined(separator: " "))"
    return "\(line), as \(user), answers \(agrees ? "yes" : "no")"
  }

  private static func options(
    of choices: [OptionChoice],
    using generator: inout SeededGenerator
  ) -> [String] {
    var words: [String] = []
    for _ in 0..<generator.number(in: 0..<6) {
      let word = generator.choose(choices.map { ($0.weight, $0.word) })
      if !words.contains(word) { words.append(word) }
    }
    return words
  }

  private static func environment(using generator: inout SeededGenerator) -> [String: String] {
    var variables: [String: String] = [:]
    if generator.chance(percent: 5) { variables["POSIXLY_CORRECT"] = "1" }
    if generator.chance(percent: 5) {
      variables["VERSION_CONTROL"] = generator.choose([
        (1, "none"), (1, "numbered"), (1, "existing"), (1, "simple"), (1, "bad"),
      ])
    }
    if generator.chance(percent: 5) {
      variables["SIMPLE_BACKUP_SUFFIX"] = generator.choose([(3, ".was"), (1, ""), (1, "a/b")])
    }
    return variables
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
