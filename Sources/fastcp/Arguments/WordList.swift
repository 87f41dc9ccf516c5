import FileCopy

/// The words that an option's value may be, or any unique prefix of them.
struct WordList<Meaning: Hashable> {
  /// The name of the option in messages.
  let context: String
  /// The words, grouped by meaning.
  let words: [(meaning: Meaning, words: [String])]

  func meaning(of value: BytePath) throws(UsageError) -> Meaning {
    let typed = value.description
    let exact = words.first { $0.words.contains(typed) }
    if let exact { return exact.meaning }
    let found = Set(
      words.filter { $0.words.contains { $0.hasPrefix(typed) } }.map(\.meaning)
    )
    if found.count == 1, let meaning = found.first { return meaning }
    throw .badWord(
      value,
      context: context,
      isAmbiguous: found.count > 1,
      words.map(\.words)
    )
  }
}
