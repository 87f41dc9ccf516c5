/// Finds the prose of a file.
enum ProseReader {
  /// Returns the prose of a Swift file, a page in Markdown or a table of options. Of a file of
  /// tests, it returns the display names.
  static func texts(in file: SourceFile) -> [ProseText] {
    guard file.path.hasSuffix(".swift") else { return paragraphs(in: file) }
    if file.area == "Tests" { return TestNameRule.names(in: file) }
    return comments(in: file) + (file.name == "OptionTable" ? help(in: file) : [])
  }

  /// The comments of a Swift file: one text for each paragraph, the first with its declaration.
  private static func comments(in file: SourceFile) -> [ProseText] {
    var texts: [ProseText] = []
    var index = 0
    while index < file.lines.count {
      guard let marker = marker(of: index, in: file) else {
        index += 1
        continue
      }
      let start = index
      while index < file.lines.count, self.marker(of: index, in: file) == marker { index += 1 }
      let lines = file.lines[start..<index].map { String($0.trimmed.dropFirst(marker.count)) }
      let isDocumentation = marker == "///"
      let declaration = Declaration(lines: file.code[index...].prefix(12))
      var isFirst = true
      for (offset, text) in paragraphs(of: lines) {
        let kind: ProseText.Kind =
          isDocumentation && isFirst ? .documentation(declaration) : .comment
        texts.append(ProseText(kind, line: start + offset, text))
        isFirst = false
      }
    }
    return texts
  }

  /// The slashes that begin a line which is nothing but a comment.
  private static func marker(of index: Int, in file: SourceFile) -> String? {
    guard index < file.prose.count, file.code[index].trimmed.isEmpty else { return nil }
    let line = file.prose[index].trimmed
    return ["///", "//"].first(where: line.hasPrefix)
  }

  /// The descriptions of the options: the text after the names in `"-v, --verbose  print …"`.
  private static func help(in file: SourceFile) -> [ProseText] {
    var found: [(line: Int, text: String)] = []
    for (index, line) in file.lines.enumerated() {
      let literals = line.split(separator: "\"", omittingEmptySubsequences: false)
      guard literals.count > 2 else { continue }
      if line.trimmed.hasPrefix("+ "), !found.isEmpty {
        found[found.count - 1].text += " " + String(literals[1])
      } else if literals[1].hasPrefix("-") {
        let words = literals[1].split(separator: " ").drop { $0.hasPrefix("-") }
        if !words.isEmpty { found.append((index, words.joined(separator: " "))) }
      }
    }
    return found.map { ProseText(.help, line: $0.line, $0.text) }
  }

  private static func paragraphs(in page: SourceFile) -> [ProseText] {
    paragraphs(of: page.lines).map { ProseText(.paragraph, line: $0.line, $0.text) }
  }

  /// Joins lines to paragraphs; a heading, an entry of a list and a cell of a table are one each.
  private static func paragraphs(of lines: [String]) -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    var isOpen = false
    var isCode = false
    for (index, whole) in lines.enumerated() {
      let line = whole.trimmed
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode || line.hasPrefix("```") || line.hasPrefix("<!--") || line.hasPrefix("![")
        || line.isEmpty || whole.hasPrefix("    ") && !isOpen
      {
        isOpen = false
      } else if line.hasPrefix("|") {
        isOpen = false
        for cell in line.split(separator: "|") where !cell.trimmed.isEmpty {
          found.append((index, cell.trimmed))
        }
      } else if line.hasPrefix("#") {
        isOpen = false
        found.append((index, line.drop { $0 == "#" }.trimmed))
      } else if isOpen, !isEntry(line) {
        found[found.count - 1].text += " " + line
      } else {
        found.append((index, isEntry(line) ? line.drop { $0 != " " }.trimmed : line))
        isOpen = true
      }
    }
    return found
  }

  /// Whether a line begins an entry of a list.
  private static func isEntry(_ line: String) -> Bool {
    if line.hasPrefix("- ") || line.hasPrefix("* ") { return true }
    let rest = line.drop { ("0"..."9").contains($0) }
    return rest.count < line.count && rest.hasPrefix(". ")
  }
}
