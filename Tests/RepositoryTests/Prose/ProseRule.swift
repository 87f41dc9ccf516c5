/// The rules of `Documentation/STYLE.md` that a program can hold.
enum ProseRule {
  /// The most words in the first sentence of a doc comment.
  static let wordLimit = 30

  /// Words that begin no first sentence of a doc comment.
  static let bannedBeginnings: Set<String> = [
    "What", "How", "Where", "Who", "Whose", "Which", "When", "Why", "That", "Those",
  ]

  /// Words that begin no sentence at all, but for questions.
  static let bannedSubjects = ["What", "Who", "Those who", "Those that", "That which"]

  /// Verbs with which no description of a type or property begins.
  static let verbs: Set<String> = [
    "Adds", "Begins", "Calls", "Counts", "Creates", "Decides", "Does", "Ends", "Finds", "Gets",
    "Gives", "Has", "Holds", "Is", "Keeps", "Looks", "Makes", "Names", "Parts", "Performs", "Puts",
    "Reads", "Receives", "Removes", "Reports", "Returns", "Runs", "Sends", "Sets", "Shows",
    "Starts", "Stops", "Takes", "Turns", "Waits", "Writes",
  ]

  /// The words before which a third-person verb is no verb.
  private static let noVerbs: Set<String> = ["This", "Its", "Bytes", "As", "Always", "Less"]

  /// Returns what a file breaks, as `path:line: rule`.
  static func violations(in file: SourceFile) -> [String] {
    ProseReader.texts(in: file).flatMap { text in
      violations(in: text).map { "\(file.place(text.line)): \($0)" }
    }
  }

  /// Returns the rules that a text breaks.
  static func violations(in text: ProseText) -> [String] {
    var found = words(in: text) + subjects(in: text)
    switch text.kind {
    case .documentation(let declaration): found += firstSentence(of: text, before: declaration)
    case .help: found += help(text.text)
    case .testName: found += TestNameRule.violations(inName: text.text)
    case .comment, .paragraph: break
    }
    return found
  }

  private static func words(in text: ProseText) -> [String] {
    // Bytes and not characters: this is the longest loop of the repository tests.
    let words = text.text.utf8.split { !isWordByte($0) }.map { word in
      String(decoding: word, as: UTF8.self).lowercased()
    }
    let known = Set(words)
    if BannedWord.firsts.isDisjoint(with: known) { return [] }
    let line = " " + words.joined(separator: " ") + " "
    return BannedWord.all.filter { banned in
      banned.parts.allSatisfy(known.contains) && line.contains(" \(banned.word) ")
    }
    .map { "'\($0.word)' (write: \($0.instead))" }
  }

  private static func subjects(in text: ProseText) -> [String] {
    text.sentences.flatMap { sentence -> [String] in
      let start = sentence.drop { !isWordByte($0.asciiValue ?? 0) }
      if sentence.last == "?" { return [] }
      return bannedSubjects.filter { start.hasPrefix($0 + " ") }
        .map { "'\($0)' begins a sentence" }
    }
  }

  private static func firstSentence(
    of text: ProseText,
    before declaration: Declaration
  ) -> [String] {
    guard let sentence = text.sentences.first else { return [] }
    let words = sentence.split(separator: " ")
    let first = String(words.first?.prefix { isWordByte($0.asciiValue ?? 0) } ?? "")
    var found: [String] = []
    if words.count > wordLimit { found.append("a first sentence of \(words.count) words") }
    if bannedBeginnings.contains(first), !bannedSubjects.contains(first) {
      found.append("a doc comment that begins with '\(first)'")
    }
    let isAboutBoolean =
      first == "Whether" || sentence.hasPrefix("A Boolean value that indicates whether")
    switch declaration.kind {
    case .function:
      let isVerb = first.hasSuffix("s") && !first.hasSuffix("ss") && !noVerbs.contains(first)
      if !isVerb && !(declaration.isBoolean && isAboutBoolean) {
        found.append("a function that no verb in the third person describes: '\(first)'")
      }
    case .initializer:
      if !first.hasSuffix("s") || first == "Makes" || noVerbs.contains(first) {
        found.append("an initializer that no verb describes, as 'Creates': '\(first)'")
      }
    case .property, .type, .subscripting:
      if declaration.kind == .property && declaration.isBoolean && !isAboutBoolean {
        found.append("a Boolean that 'Whether' does not describe: '\(first)'")
      } else if verbs.contains(first) && declaration.kind != .subscripting {
        found.append("a type or property that a verb describes: '\(first)'")
      }
    case .enumerationCase, .other: break
    }
    return found
  }

  /// A line of help is an imperative phrase in lower case without a full stop.
  private static func help(_ text: String) -> [String] {
    var found: [String] = []
    if text.last == "." { found.append("a line of help that ends with a full stop") }
    if text.first?.isUppercase ?? true { found.append("a line of help that begins in upper case") }
    return found
  }
}
