import FileCopy

/// The output of a copy besides messages: progress, summary, JSON.
struct OutputOptions {
  /// The form of the progress output.
  enum Progress: Hashable {
    /// A progress bar after half a second, if standard error is a terminal.
    case auto
    /// Output from the start, even if standard error is not a terminal.
    case always
    /// No output.
    case never
    /// JSON objects, one on each line.
    case json
  }

  var progress = Progress.auto
  var showsStatistics = false
  var isJSON = false
  /// Whether nothing but errors, and the questions of `-i`, is printed.
  var isQuiet = false
}

extension CopyRequest {
  /// Applies an option that cp does not have.
  mutating func note(_ option: ParsedArguments.Option) throws(UsageError) {
    switch option.kind {
    case .progress: output.progress = try CopyRequest.progress(option.value)
    case .statistics: output.showsStatistics = true
    case .json: output.isJSON = true
    case .quiet: output.isQuiet = true
    case .dryRun: options.isDryRun = true
    case .atomic: options.isAtomic = true
    case .verify: options.contents.verifies = try CopyRequest.verifies(option.value)
    case .direct: options.contents.direct = try CopyRequest.direct(option.value)
    case .dropCache: options.contents.dropsCache = true
    case .byteRate:
      let value = option.value ?? ""
      guard let rate = ByteRate.parse(value) else { throw .badRate(value) }
      options.contents.byteRate = rate
    case .paced: options.contents.limitsUnwrittenData = true
    case .sync: if options.durability == .automatic { options.durability = .atEnd }
    case .durable: options.durability = .everyFile
    case .resume: options.existing.resumes = true
    case .tolerateChanges: options.contents.toleratesChanges = true
    case .failFast: options.stopsAtFailure = true
    default: break
    }
  }

  /// The option that `--quiet` contradicts; nil if there is none.
  var optionAgainstQuiet: String? {
    if !output.isQuiet { return nil }
    if explainsMethods { return "--debug" }
    if isVerbose { return "--verbose" }
    if output.isJSON { return "--json" }
    if output.showsStatistics { return "--stats" }
    if options.isDryRun { return "--dry-run" }
    return output.progress == .always || output.progress == .json ? "--progress" : nil
  }

  /// Returns the option that `--resume` contradicts; nil if there is none.
  func optionAgainstResume(excludesTimes: Bool) -> String? {
    if !options.existing.resumes { return nil }
    if !options.contents.copiesBytes { return "--attributes-only" }
    if excludesTimes { return "--no-preserve=timestamps" }
    switch options.tree.product {
    case .copies: return nil
    case .hardLinks: return "--link"
    case .symbolicLinks: return "--symbolic-link"
    }
  }

  /// Returns the error of an option that an earlier copy contradicts; nil if there is none.
  func earlierCopyError(excludesTimes: Bool) -> UsageError? {
    guard let earlier = options.earlier else { return nil }
    let name = earlier.sharing == .blocks ? "--reflink-dest" : "--link-dest"
    if !options.contents.copiesBytes { return .cannotCombine(name, "--attributes-only") }
    if excludesTimes { return .cannotCombine(name, "--no-preserve=timestamps") }
    if earlier.sharing == .blocks && options.contents.clones == .never {
      return .cannotCombine(name, "--reflink=never")
    }
    switch options.tree.product {
    case .copies: return nil
    case .hardLinks: return .cannotCombine(name, "--link")
    case .symbolicLinks: return .cannotCombine(name, "--symbolic-link")
    }
  }

  /// The error of further destinations that are refused; nil if there is none.
  var destinationsError: UsageError? {
    if options.furtherDestinations.isEmpty { return nil }
    // Several destinations would ask at the same time.
    if options.existing.rule == .ask { return .cannotCombine("--also-to", "--interactive") }
    // Each destination would read the source from its disk.
    if options.contents.direct != .never { return .cannotCombine("--also-to", "--direct") }
    // Files are shared only within one file system.
    switch options.earlier?.sharing {
    case .blocks: return .cannotCombine("--also-to", "--reflink-dest")
    case .hardLinks: return .cannotCombine("--also-to", "--link-dest")
    case nil: return nil
    }
  }

  private static func verifies(_ value: BytePath?) throws(UsageError) -> Bool {
    guard let value else { return true }
    return try WordList(context: "--verify", words: [(true, ["xxh128"])]).meaning(of: value)
  }

  private static func direct(_ value: BytePath?) throws(UsageError) -> DirectRule {
    guard let value else { return .always }
    return try WordList<DirectRule>(
      context: "--direct",
      words: [(.automatic, ["auto"]), (.always, ["always"]), (.never, ["never"])]
    ).meaning(of: value)
  }

  private static func progress(_ value: BytePath?) throws(UsageError) -> OutputOptions.Progress {
    guard let value else { return .always }
    return try WordList<OutputOptions.Progress>(
      context: "--progress",
      words: [
        (.auto, ["auto"]), (.always, ["always"]), (.never, ["never"]), (.json, ["json"]),
      ]
    ).meaning(of: value)
  }
}
