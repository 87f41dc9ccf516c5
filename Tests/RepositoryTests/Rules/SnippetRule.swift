/// The examples on pages are the ones that are compiled and run.
enum SnippetRule {
  /// Swift code on a page, with the snippet that the line before it names.
  struct Example: Equatable {
    let line: Int
    let snippet: String?
    let code: [String]
  }

  /// The code between fences that say that it is Swift.
  ///
  /// A comment before the first fence names the file: `<!-- Snippets/Name.swift -->`.
  static func examples(on page: SourceFile) -> [Example] {
    page.lines.indices.filter { page.lines[$0] == "```swift" }.map { index in
      let before = index > 0 ? page.lines[index - 1] : ""
      let words = before.split(separator: " ")
      let isNamed = words.count == 3 && words[0] == "<!--" && words[2] == "-->"
      return Example(
        line: index,
        snippet: isNamed ? String(words[1]) : nil,
        code: Array(page.lines[(index + 1)...].prefix { $0 != "```" })
      )
    }
  }

  private static let hidden = "// snippet.hide"

  /// What pages show of a snippet: all between the sentence at the top and the hidden lines.
  static func shown(of snippet: SourceFile) -> [String] {
    var lines = Array(snippet.lines.drop { $0.hasPrefix("//") }.drop(while: \.isEmpty))
    if let end = lines.firstIndex(of: hidden) { lines = Array(lines[..<end]) }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  /// What a snippet prints, as comments in its hidden lines say.
  static func output(of snippet: SourceFile) -> [String] {
    snippet.lines.drop { $0 != hidden }.filter { $0.hasPrefix("// ") && $0 != hidden }
      .map { String($0.dropFirst(3)) }
  }

  static func violations(on page: SourceFile, snippets: [SourceFile]) -> [String] {
    examples(on: page).compactMap { example in
      guard let name = example.snippet else {
        return "\(page.place(example.line)): code without a snippet"
      }
      guard let snippet = snippets.first(where: { $0.path == name }) else {
        return "\(page.place(example.line)): there is no \(name)"
      }
      return shown(of: snippet) == example.code
        ? nil : "\(page.place(example.line)): other code than in \(name)"
    }
  }
}
