/// One piece of prose of a file: a comment, a paragraph, a cell of a table, a line of help or the
/// name of a test.
struct ProseText: Equatable {
  /// The place that a piece of prose has.
  enum Kind: Equatable {
    /// A doc comment, with the declaration that follows it.
    case documentation(Declaration)
    case comment
    case paragraph
    case help
    /// The display name of a test or a suite.
    case testName
  }

  let kind: Kind
  /// The index of the first line.
  let line: Int
  /// The words, on one line, with a placeholder for each piece of code.
  let text: String

  /// The placeholder for code between backquotes and for the target of a link.
  static let code = "CODE"

  init(_ kind: Kind, line: Int, _ text: String) {
    self.kind = kind
    self.line = line
    self.text = ProseText.withoutCode(text)
  }

  /// The sentences of the text, without their full stops.
  var sentences: [String] { ProseText.sentences(of: text) }

  /// Splits a text at full stops, question marks and exclamation marks that a blank follows.
  static func sentences(of text: String) -> [String] {
    var sentences: [String] = []
    var words: [Substring] = []
    for word in text.split(separator: " ") {
      words.append(word)
      let isAbbreviation = word == "e.g." || word == "i.e." || word == "vs."
      if let last = word.last, ".!?".contains(last), !isAbbreviation {
        sentences.append(words.joined(separator: " "))
        words = []
      }
    }
    if !words.isEmpty { sentences.append(words.joined(separator: " ")) }
    return sentences
  }

  /// Replaces code between backquotes and the targets of links by a placeholder.
  private static func withoutCode(_ text: String) -> String {
    var result = ""
    for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if index.isMultiple(of: 2) {
        result += part
      } else if !part.isEmpty {
        result += code
      }
    }
    var words = ""
    let parts = result.split(separator: "](", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      words += index == 0 ? part : "]" + part.drop { $0 != ")" }
    }
    return words
  }
}
