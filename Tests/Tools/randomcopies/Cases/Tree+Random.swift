import IOChannelsTestSupport

extension Tree {
  /// The names of all files but FIFOs.
  private static let names = ["a", "b", "c", "d", "e", "it's"]
  /// The name of all FIFOs. No regular file has it, because a copy to a FIFO waits for a reader.
  private static let fifoName = "p"
  /// The directory that is the destination of most command lines.
  private static let targetName = "k"
  private static let depthLimit = 2

  /// Creates random files for a user.
  init(for user: Request.User, using generator: inout SeededGenerator) {
    for name in Tree.names where generator.chance(percent: 80) {
      add(name, depth: 0, user, using: &generator)
    }
    if generator.chance(percent: 10) { append(.fifo, Tree.fifoName, user, using: &generator) }
    if generator.chance(percent: 85) {
      append(.directory, Tree.targetName, user, using: &generator)
      for name in Tree.names where generator.chance(percent: 35) {
        add("\(Tree.targetName)/\(name)", depth: 1, user, using: &generator)
      }
    }
  }

  /// Adds a file, and the contents of a directory.
  private mutating func add(
    _ path: String,
    depth: Int,
    _ user: Request.User,
    using generator: inout SeededGenerator
  ) {
    let kind = kind(at: path, depth: depth, using: &generator)
    append(kind, path, user, using: &generator)
    guard kind == .directory else { return }
    for name in Tree.names where generator.chance(percent: 30) {
      add("\(path)/\(name)", depth: depth + 1, user, using: &generator)
    }
    if !path.hasPrefix(Tree.targetName), generator.chance(percent: 10) {
      append(.fifo, "\(path)/\(Tree.fifoName)", user, using: &generator)
    }
  }

  private func kind(
    at path: String,
    depth: Int,
    using generator: inout SeededGenerator
  ) -> Kind {
    let text = "the text of \(path)\n"
    switch generator.choose([(40, 0), (depth < Tree.depthLimit ? 30 : 0, 1), (18, 2), (12, 3)]) {
    case 1: return .directory
    case 2: return .symbolicLink(to: target(depth: depth, using: &generator))
    case 3:
      let files = entries.filter { if case .file = $0.kind { true } else { false } }
      if files.isEmpty { return .file(text: text, length: text.utf8.count) }
      return .hardLink(to: files[generator.number(in: 0..<files.count)].path)
    default:
      let length = generator.choose([
        (70, text.utf8.count), (10, 0), (10, 5000), (5, 70_000), (5, 1_000_000),
      ])
      return .file(text: String(text.prefix(length)), length: length)
    }
  }

  /// Returns the target of a link. It is inside of the tree, or is missing.
  private func target(depth: Int, using generator: inout SeededGenerator) -> String {
    let inside: [(Int, String)] = [
      (6, "a"), (6, "b"), (4, "c"), (4, "d"), (3, "a/b"), (3, "d/e"), (2, "."), (3, "nowhere"),
      (2, Tree.targetName),
    ]
    let above: [(Int, String)] = [
      (6, "../a"), (6, "../c"), (3, "../d/e"), (1, ".."),
    ]
    return generator.choose(depth == 0 ? inside : inside + above)
  }

  private mutating func append(
    _ kind: Kind,
    _ path: String,
    _ user: Request.User,
    using generator: inout SeededGenerator
  ) {
    let ofDirectory: [(Int, UInt32)] = [
      (80, 0o755), (6, 0o700), (3, 0o555), (2, 0o000), (4, 0o2775), (3, 0o1777), (2, 0o711),
    ]
    let ofOthers: [(Int, UInt32)] = [
      (60, 0o644), (8, 0o600), (6, 0o444), (4, 0o000), (8, 0o755), (4, 0o4755), (4, 0o2755),
      (6, 0o666),
    ]
    entries.append(
      Entry(
        path: path,
        kind: kind,
        mode: generator.choose(kind == .directory ? ofDirectory : ofOthers),
        owner: generator.choose([(85, user.number), (5, 0), (5, 1234), (5, 65_534)]),
        time: generator.choose([(1, 1_000_000_000), (1, 1_100_000_000), (1, 1_200_000_000)])
      )
    )
  }
}
