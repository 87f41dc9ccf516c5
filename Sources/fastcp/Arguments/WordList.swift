import FileCopy

/// The words that an option's value may be, which may be shortened while they stay unique.
struct WordList<Meaning: Hashable> {
  /// What the value is for, in messages.
  let context: String
  /// Words of the same meaning stand together.
  let words: [(meaning: Meaning, words: [String])]

  func meaning(of value: FilePath) throws(UsageError) -> Meaning {
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
