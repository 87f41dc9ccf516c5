import IOChannelsTestSupport

/// The paths of a tree as the operands of a command line.
struct OperandPaths {
  /// The paths that may be sources.
  private let paths: [String]
  private let keepsParents: Bool
  private let isRecursive: Bool

  /// Creates the operands for a command line with some options.
  init(_ tree: Tree, _ options: [String]) {
    let isRecursive = options.contains("-r") || options.contains("-a")
    self.isRecursive = isRecursive
    keepsParents = options.contains("--parents")
    // Without recursion the contents of a FIFO are read, which takes for ever.
    paths = tree.entries.filter { isRecursive || $0.kind != .fifo }.map(\.path)
  }

  /// Returns one to three sources.
  func sources(using generator: inout SeededGenerator) -> [String] {
    let count = generator.choose([(60, 1), (25, 2), (15, 3)])
    return (0..<count).map { _ in source(using: &generator) }
  }

  private func source(using generator: inout SeededGenerator) -> String {
    if paths.isEmpty || generator.chance(percent: 3) { return "missing" }
    let path = paths[generator.number(in: 0..<paths.count)]
    switch generator.choose([(70, 0), (8, 1), (8, 2), (6, 3), (4, 4)]) {
    case 1: return "./\(path)"
    case 2: return "\(path)/"
    // With --parents, cp refuses such a source.
    case 3: return keepsParents ? path : "\(path)/."
    case 4: return path.contains("/") ? "\(directory(of: path))/../\(path)" : path
    default: return path
    }
  }

  /// Returns the first component of a path.
  private func directory(of path: String) -> String { String(path.prefix { $0 != "/" }) }

  /// Returns a destination, seldom one inside of a source.
  func destination(of sources: [String], using generator: inout SeededGenerator) -> String {
    let last = sources.last ?? "missing"
    let path = generator.choose([
      (45, "k"), (20, "new"), (8, "k/new"), (5, "new/"), (4, "nodir/new"), (3, "."), (15, ""),
    ])
    if !path.isEmpty { return path }
    let regular = paths.filter { !$0.hasSuffix("p") && !last.hasPrefix($0) }
    return regular.isEmpty ? "k" : regular[generator.number(in: 0..<regular.count)]
  }
}
