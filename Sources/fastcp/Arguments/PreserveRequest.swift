import FileCopy

/// The options that select the attributes to preserve.
struct PreserveRequest {
  var preserved: PreservedAttributes = []
  private var usesPlainModes = false
  /// Whether `xattr` was given by name, so that an attribute that cannot be copied is an error.
  private var requiresAttributes = false
  private var requiresContext = false
  /// Whether `--no-preserve` excludes the times of files.
  private(set) var excludesTimes = false
  private var isQuiet = false
  private var isLabelled = false
  private var label: BytePath?

  private static let words: [(meaning: PreservedAttributes, words: [String])] = [
    (.mode, ["mode"]), (.timestamps, ["timestamps"]), (.ownership, ["ownership"]),
    (.links, ["links"]), (.securityContext, ["context"]), (.extendedAttributes, ["xattr"]),
    (.all, ["all"]),
  ]

  init() {}

  /// Records `-a`.
  mutating func noteArchive() {
    preserved = .all
    isQuiet = true
  }

  /// Records `--preserve` with its list, or `-p` without one.
  mutating func include(_ list: BytePath?) throws(UsageError) {
    guard let list else {
      preserved.formUnion([.mode, .ownership, .timestamps])
      return
    }
    try note(list, "--preserve", isIncluded: true)
  }

  /// Records `--no-preserve`.
  mutating func exclude(_ list: BytePath?) throws(UsageError) {
    try note(list ?? "", "--no-preserve", isIncluded: false)
  }

  /// Records `-Z` or `--context`.
  mutating func label(_ context: BytePath?) {
    isLabelled = true
    label = context ?? label
  }

  private mutating func note(
    _ list: BytePath,
    _ option: String,
    isIncluded: Bool
  ) throws(UsageError) {
    let words = WordList(context: option, words: PreserveRequest.words)
    let parts = list.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    for part in parts {
      let meaning = try words.meaning(of: BytePath(bytes: part))
      if meaning.contains(.mode) { usesPlainModes = !isIncluded }
      if meaning.contains(.timestamps) { excludesTimes = !isIncluded }
      if meaning == .extendedAttributes { requiresAttributes = isIncluded }
      if meaning == .securityContext { requiresContext = isIncluded }
      if isIncluded { preserved.formUnion(meaning) } else { preserved.subtract(meaning) }
      // Unless excluded, the SELinux label is an extended attribute like others.
      if isIncluded && meaning == .extendedAttributes { preserved.insert(.securityContext) }
    }
  }

  /// Applies the combined effect of all recorded options.
  ///
  /// - Returns: Warnings about options without effect on this system.
  func settle(
    _ options: inout CopyOptions,
    _ hasSecurityContexts: Bool
  ) throws(UsageError) -> [String] {
    options.metadata.preserved = preserved
    options.metadata.usesPlainModes = usesPlainModes
    options.metadata.attributeLoss = requiresAttributes ? .failing : isQuiet ? .ignored : .warned
    guard hasSecurityContexts else {
      if requiresContext { throw .noSecurityContext }
      return label == nil
        ? [] : ["warning: ignoring --context; it requires an SELinux-enabled kernel"]
    }
    if isLabelled {
      if requiresContext { throw .contextBothWays }
      if let label { throw .contextNotSet(label) }
      options.metadata.preserved.remove(.securityContext)
    }
    return []
  }
}
