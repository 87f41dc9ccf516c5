/// Public declarations have a comment whose first sentence is short.
enum CommentRule {
  static let sentenceLimit = 150

  static func violations(in file: SourceFile) -> [String] {
    var found: [String] = []
    for index in publicDeclarations(in: file) {
      let comment = comment(before: index, in: file)
      if comment.isEmpty {
        found.append("\(file.place(index)): a public declaration without a comment")
      } else if sentence(of: comment).count > sentenceLimit {
        found.append("\(file.place(index)): the first sentence is longer than \(sentenceLimit)")
      }
    }
    return found
  }

  /// The lines that declare something public: those that say so, and the cases and requirements
  /// of public enumerations and protocols.
  static func publicDeclarations(in file: SourceFile) -> [Int] {
    var found: [Int] = []
    /// For each open brace: whether it opened such a type.
    var opened: [Bool] = []
    for (index, line) in file.code.enumerated() {
      let words = line.split { !isWordByte($0.asciiValue ?? 0) && $0 != "@" }.map(String.init)
      let leading = words.drop { $0.hasPrefix("@") || $0 == "indirect" || $0 == "final" }
      let isPublic = leading.first == "public" || leading.first == "open"
      let isImport = words.contains("import") || words.contains("extension")
      let isMember = opened.last == true && (leading.first.map(members.contains) ?? false)
      if (isPublic && !isImport) || isMember { found.append(index) }
      let opensType = isPublic && (words.contains("enum") || words.contains("protocol"))
      for character in line {
        if character == "{" { opened.append(opensType) }
        if character == "}", !opened.isEmpty { opened.removeLast() }
      }
    }
    return found
  }

  private static let members: Set<String> = [
    "case", "func", "var", "init", "static", "mutating", "associatedtype", "subscript",
  ]

  /// The comment that stands before a line, attributes between them left out.
  private static func comment(before index: Int, in file: SourceFile) -> [String] {
    var comment: [String] = []
    for line in file.lines[..<index].reversed() {
      let text = line.trimmed
      if text.hasPrefix("///") {
        comment.insert(text.dropFirst(3).trimmed, at: 0)
      } else if comment.isEmpty, text.hasPrefix("@") || text.hasPrefix(")") {
        continue
      } else {
        break
      }
    }
    return comment
  }

  private static func sentence(of comment: [String]) -> String {
    let paragraph = comment.prefix { !$0.isEmpty }.joined(separator: " ")
    guard let end = paragraph.firstRange(of: ". ") else { return paragraph }
    return String(paragraph[..<end.lowerBound])
  }
}
