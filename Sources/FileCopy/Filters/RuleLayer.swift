import IOChannelsSystem

/// A list of rules as it applies to the names of one directory.
///
/// The directory is that of the list or one below it. Rules about paths are matched as far as the
/// directory, so that a name costs the same at every depth.
struct RuleLayer: Sendable {
  private let list: RuleList
  /// The rules about paths that may still match, in their order.
  private var paths: [PathRule]

  /// A rule about paths that was matched as far as the directory.
  private struct PathRule {
    let index: Int
    var glob: Glob
    var places: Glob.Places
  }

  /// Applies a list to the names of its own directory.
  init(_ list: RuleList) {
    self.list = list
    paths = list.paths.compactMap { index -> PathRule? in
      guard case .paths(let glob) = list.rules[index].form else { return nil }
      return PathRule(index: index, glob: glob, places: glob.start)
    }
  }

  /// Returns the layer of a directory inside this one.
  func entering(_ name: BytePath) -> RuleLayer {
    if paths.isEmpty { return self }
    var inner = self
    inner.paths = paths.compactMap { rule -> PathRule? in
      var rule = rule
      for byte in name.bytes { rule.glob.advance(&rule.places, over: byte) }
      rule.glob.advance(&rule.places, over: UInt8(ascii: "/"))
      return rule.places.contains(true) ? rule : nil
    }
    return inner
  }

  /// Returns whether the last rule that matches a name excludes it; nil if no rule matches.
  func excludes(_ name: BytePath, isDirectory: Bool) -> Bool? {
    let bytes = name.bytes
    let path = paths.last { rule in
      applies(rule.index, isDirectory) && rule.glob.matches(bytes, from: rule.places)
    }
    // A rule about names decides only if it follows the rule about paths.
    let first = path.map { $0.index + 1 } ?? 0
    let byName = list.names.last { index in
      index >= first && applies(index, isDirectory) && list.rules[index].matches(bytes)
    }
    guard let decisive = byName ?? path?.index else { return nil }
    return !list.rules[decisive].isNegated
  }

  private func applies(_ index: Int, _ isDirectory: Bool) -> Bool {
    isDirectory || !list.rules[index].needsDirectory
  }
}
