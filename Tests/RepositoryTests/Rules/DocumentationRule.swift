/// Readers of the documentation meet links to rules, and examples that are compiled.
enum DocumentationRule {
  /// The target of a link to a rule, without its number: scripts/rules writes the page.
  private static let link = "<doc:Rules#"

  /// The numbers of rules that stand in public comments of a source file without a link.
  static func bareNumbers(in file: SourceFile) -> [String] {
    CommentRule.publicDeclarations(in: file).flatMap { index in
      CommentRule.comment(before: index, in: file).flatMap(bareNumbers)
        .map { "\(file.place(index)): \($0) without a link above" }
    }
  }

  /// The numbers of rules that stand on a page of a catalogue without a link.
  static func bareNumbers(onPage page: SourceFile) -> [String] {
    page.lines.enumerated().flatMap { index, line in
      bareNumbers(in: line).map { "\(page.place(index)): \($0) without a link" }
    }
  }

  private static func bareNumbers(in line: String) -> [String] {
    let parts = line.split(separator: link, omittingEmptySubsequences: false)
    let rest = parts.enumerated().map { index, part in
      index == 0 ? part : part.drop { $0 != ">" }
    }
    return rest.joined(separator: " ").split { !isWordByte($0.asciiValue ?? 0) }
      .filter { $0.hasPrefix("S") && ReferenceRule.isNumber($0) }
      .map(String.init)
  }

  /// The Swift code in the doc comments of a source file, each with the line of its fence.
  static func examples(in file: SourceFile) -> [(line: Int, code: [String])] {
    var found: [(line: Int, code: [String])] = []
    for (index, line) in file.lines.enumerated() where line.trimmed == "/// ```swift" {
      let code = file.lines[(index + 1)...].map(\.trimmed).prefix { $0 != "/// ```" }
      found.append((index, code.map { String($0.dropFirst(4)) }))
    }
    return found
  }

  /// The examples in doc comments that are not successive lines of one of the compiled files.
  static func violations(in file: SourceFile, compiled: [SourceFile]) -> [String] {
    examples(in: file).filter { example in
      // An example for a package that the tests do not have cannot be compiled.
      !example.code.contains { $0.contains("SystemPackage.") }
        && !compiled.contains { holds(example.code, in: $0.lines) }
    }
    .map { "\(file.place($0.line)): code that is not compiled" }
  }

  /// Whether successive lines are those of an example, all indented by the same blanks.
  private static func holds(_ code: [String], in lines: [String]) -> Bool {
    guard let first = code.first, lines.count >= code.count else { return false }
    return (0...(lines.count - code.count)).contains { start in
      guard lines[start].hasSuffix(first) else { return false }
      let blanks = String(lines[start].dropLast(first.count))
      guard blanks.allSatisfy({ $0 == " " }) else { return false }
      return zip(code, lines[start...]).allSatisfy { text, line in
        line == (text.isEmpty ? "" : blanks + text)
      }
    }
  }

  /// The types that a reader looks up first. Their comments begin with an example.
  static let mainTypes = [
    "IOChannel", "ChannelReader", "DataBuffer", "WorkQueue", "FileCopier", "EventSource",
    "TimerSource", "ReadSource", "WriteSource", "SignalSource", "ProcessSource",
    "FileSystemSource", "MemoryPressureSource", "DataSource", "PortSource",
  ]

  /// The main types whose comment has no example in these files.
  static func typesWithoutExample(in files: [SourceFile]) -> [String] {
    mainTypes.filter { type in
      !files.contains { file in
        CommentRule.publicDeclarations(in: file).contains { index in
          let words = file.code[index].split { !isWordByte($0.asciiValue ?? 0) }
          let isType = words.contains("class") || words.contains("struct")
          return isType && words.contains(Substring(type))
            && CommentRule.comment(before: index, in: file).contains("```swift")
        }
      }
    }
  }
}
