import FileCopy

/// What the options say about keeping what describes files.
struct PreserveWish {
  var preserved: PreservedAttributes = []
  private var usesPlainModes = false
  /// Whether extended attributes were asked for by their word.
  private var requiresAttributes = false
  private var requiresContext = false
  private var isQuiet = false
  private var isLabelled = false
  private var label: FilePath?

  private static let words: [(meaning: PreservedAttributes, words: [String])] = [
    (.mode, ["mode"]), (.timestamps, ["timestamps"]), (.ownership, ["ownership"]),
    (.links, ["links"]), (.securityContext, ["context"]), (.extendedAttributes, ["xattr"]),
    (.all, ["all"]),
  ]

  init() {}

  /// Notes `-a`.
  mutating func wishExactCopies() {
    preserved = .all
    isQuiet = true
  }

  /// Notes `--preserve` with its words, or `-p`, which has none.
  mutating func wish(_ list: FilePath?) throws(UsageError) {
    guard let list else {
      preserved.formUnion([.mode, .ownership, .timestamps])
      return
    }
    try note(list, "--preserve", isWished: true)
  }

  /// Notes `--no-preserve`.
  mutating func refuse(_ list: FilePath?) throws(UsageError) {
    try note(list ?? "", "--no-preserve", isWished: false)
  }

  /// Notes `-Z` or `--context`.
  mutating func label(_ context: FilePath?) {
    isLabelled = true
    label = context ?? label
  }

  private mutating func note(
    _ list: FilePath,
    _ option: String,
    isWished: Bool
  ) throws(UsageError) {
    let words = WordList(context: option, words: PreserveWish.words)
    let parts = list.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    for part in parts {
      let meaning = try words.meaning(of: FilePath(bytes: part))
      if meaning.contains(.mode) { usesPlainModes = !isWished }
      if meaning == .extendedAttributes { requiresAttributes = isWished }
      if meaning == .securityContext { requiresContext = isWished }
      if isWished { preserved.formUnion(meaning) } else { preserved.subtract(meaning) }
      // A label is an attribute like others where nobody says otherwise.
      if isWished && meaning == .extendedAttributes { preserved.insert(.securityContext) }
    }
  }

  /// Writes down what all options together ask for.
  ///
  /// - Returns: What to say about options that do nothing here.
  func settle(
    _ options: inout CopyOptions,
    _ hasSecurityContexts: Bool
  ) throws(UsageError) -> [String] {
    options.preserved = preserved
    options.usesPlainModes = usesPlainModes
    options.attributeLoss = requiresAttributes ? .failing : isQuiet ? .ignored : .warned
    guard hasSecurityContexts else {
      if requiresContext { throw .noSecurityContext }
      return label == nil
        ? [] : ["warning: ignoring --context; it requires an SELinux-enabled kernel"]
    }
    if isLabelled {
      if requiresContext { throw .contextBothWays }
      if let label { throw .contextNotSet(label) }
      options.preserved.remove(.securityContext)
    }
    return []
  }
}
