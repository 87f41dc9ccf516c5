/// What documents and comments point to is there.
enum ReferenceRule {
  private static let areas = [
    "Sources/", "Tests/", "Documentation/", "Benchmarks/", "scripts/", ".ci/", "Packaging/",
  ]

  /// The paths that a document names: in backquotes from the root, or as the target of a link.
  static func paths(in document: SourceFile) -> [(line: Int, path: String)] {
    let directory = document.path.split(separator: "/").dropLast().joined(separator: "/")
    var found: [(line: Int, path: String)] = []
    // In code, `](` is no link: a lambda of C++ begins with it.
    var isCode = false
    for (index, line) in document.lines.enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode { continue }
      for text in LayerRule.quoted(in: line) {
        let path = text.prefix { $0 != " " && $0 != ":" }
        guard areas.contains(where: path.hasPrefix), !path.contains(where: "*<>{}…".contains)
        else { continue }
        found.append((index, String(path)))
      }
      for part in line.split(separator: "](").dropFirst() {
        let target = part.prefix { $0 != ")" && $0 != "#" }
        if target.isEmpty || target.contains("://") { continue }
        found.append((index, directory.isEmpty ? String(target) : "\(directory)/\(target)"))
      }
    }
    return found
  }

  /// Where the lists of numbers stand.
  static let lists: [Character: String] = [
    "S": "Documentation/Reference/SEMANTICS.md",
    "T": "Documentation/Reference/COPYING.md",
    "I": "Documentation/Internals/TESTING.md",
    "F": "Documentation/Internals/TESTING.md",
    "B": "Documentation/Benchmarks/METHOD.md",
  ]

  /// The numbers that a document defines: those in bold or first in a row of a table.
  static func defined(in document: SourceFile) -> [String] {
    document.lines.compactMap { line in
      let start = line.drop { "|*- ".contains($0) }
      guard start.count < line.count else { return nil }
      let word = start.prefix { isWordByte($0.asciiValue ?? 0) }
      return isNumber(word) ? String(word) : nil
    }
  }

  /// The numbers that comments and strings of a file quote.
  static func quoted(in file: SourceFile) -> [(line: Int, number: String)] {
    file.prose.enumerated().flatMap { index, line in
      line.split { !isWordByte($0.asciiValue ?? 0) }
        .filter(isNumber)
        .map { (index, String($0)) }
    }
  }

  /// A letter of a list and one to three digits.
  static func isNumber(_ word: some StringProtocol) -> Bool {
    guard let letter = word.first, lists[letter] != nil, (2...4).contains(word.count) else {
      return false
    }
    return word.dropFirst().allSatisfy { ("0"..."9").contains($0) } && word.dropFirst().first != "0"
  }
}
