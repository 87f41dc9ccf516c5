/// Functions under 70 lines, lines within 100 columns, benchmarks within 15 % of the sources.
enum SizeRule {
  static let functionLimit = 70
  static let columnLimit = 100
  static let benchmarkPercent = 15

  static func violations(in file: SourceFile) -> [String] {
    var found: [String] = []
    for (index, line) in file.lines.enumerated() where line.count > columnLimit {
      found.append("\(file.place(index)): \(line.count) columns")
    }
    for (index, length) in functions(in: file) where length >= functionLimit {
      found.append("\(file.place(index)): a function of \(length) lines")
    }
    return found
  }

  /// Compares the length of the benchmarks with that of the sources, in lines of code files.
  static func violations(benchmarks: [SourceFile], sources: [SourceFile]) -> [String] {
    let (some, all) = (lineCount(benchmarks), lineCount(sources))
    if some * 100 <= all * benchmarkPercent { return [] }
    return ["\(some) lines in Benchmarks, over \(benchmarkPercent) % of \(all) in Sources"]
  }

  private static func lineCount(_ files: [SourceFile]) -> Int {
    files.reduce(0) { $0 + $1.lines.count }
  }

  /// Where each function starts and how many lines it has, from its keyword to its last brace.
  static func functions(in file: SourceFile) -> [(start: Int, length: Int)] {
    var found: [(start: Int, length: Int)] = []
    let keywords = ["func", "init", "deinit", "subscript"]
    for (index, line) in file.code.enumerated() {
      let word = line.split { !isWordByte($0.asciiValue ?? 0) && $0 != "." }
        .first { !modifiers.contains(String($0)) }
      guard let word, keywords.contains(String(word)) else { continue }
      if let end = bodyEnd(from: index, in: file.code) {
        found.append((index, end - index + 1))
      }
    }
    return found
  }

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "private", "fileprivate", "open", "static", "class", "final",
    "mutating", "consuming", "borrowing", "override", "convenience", "required", "nonisolated",
    "unsafe", "inline", "__always", "never", "discardableResult", "isolated", "lifetime", "borrow",
    "self", "copy",
  ]

  /// The line of the brace that closes what opens first from `start` on.
  ///
  /// A requirement of a protocol has no body: the search ends at the next declaration or when the
  /// surrounding braces close.
  private static func bodyEnd(from start: Int, in code: [String]) -> Int? {
    var braces = 0
    var parentheses = 0
    for index in start..<min(code.count, start + 2000) {
      let line = code[index]
      if braces == 0, parentheses == 0, index > start {
        let first = line.split(separator: " ").first.map(String.init) ?? ""
        if ["func", "var", "init", "static", "mutating", "///"].contains(first) { return nil }
      }
      for character in line {
        switch character {
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{" where parentheses == 0 || braces > 0: braces += 1
        case "}":
          if braces == 0, parentheses == 0 { return nil }
          if braces > 0 {
            braces -= 1
            if braces == 0 { return index }
          }
        default: break
        }
      }
    }
    return nil
  }
}
