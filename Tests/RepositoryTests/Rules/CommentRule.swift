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
    /// For each open brace: the words that declare members as public as the type it opened.
    var opened: [Set<String>] = []
    for (index, line) in file.code.enumerated() {
      let words = line.split { !isWordByte($0.asciiValue ?? 0) && $0 != "@" }.map(String.init)
      let leading = words.drop { $0.hasPrefix("@") || $0 == "indirect" || $0 == "final" }
      let isPublic =
        (leading.first == "public" || leading.first == "open")
        && words.contains(where: declarations.contains) && !words.contains("import")
      let isMember = leading.first.map { opened.last?.contains($0) ?? false } ?? false
      if isPublic || isMember { found.append(index) }
      var members: Set<String> = []
      if isPublic, words.contains("enum") { members = ["case"] }
      if isPublic, words.contains("protocol") { members = requirements }
      for character in line {
        if character == "{" { opened.append(members) }
        if character == "}", !opened.isEmpty { opened.removeLast() }
      }
    }
    return found
  }

  private static let requirements: Set<String> = [
    "func", "var", "init", "static", "mutating", "associatedtype", "subscript",
  ]

  private static let declarations: Set<String> = [
    "func", "var", "let", "init", "subscript", "struct", "class", "enum", "protocol", "actor",
    "typealias", "macro",
  ]

  /// The comment that stands before a line, attributes between them left out.
  static func comment(before index: Int, in file: SourceFile) -> [String] {
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
