import FileCopy

/// The options about existing files: `-i`, `-n`, `-u` and `--update`.
///
/// They are two settings, as in cp 9.11. The last of `-i` and `-n` counts, and so does the last of
/// `-u` and `--update`. Then `-n` means `--update=none`, and `-i` prompts only about files that
/// `--update` would replace.
struct OverwriteRequest {
  /// The setting of `-i` and `-n`.
  private enum Prompt {
    case unspecified
    case ask
    case skip
  }

  /// The existing files that `--update` replaces.
  private enum Update: String, CaseIterable {
    case all
    case none
    case noneFail = "none-fail"
    case older
  }

  private var prompt = Prompt.unspecified
  private var update = Update.all

  /// Records one of the options.
  mutating func note(_ option: ParsedArguments.Option) throws(UsageError) {
    switch option.kind {
    case .interactive: prompt = .ask
    case .noClobber: prompt = .skip
    default: update = try OverwriteRequest.update(option.value)
    }
  }

  /// Returns the meaning of a value of `--update`; without one, as with `-u`, it is `older`.
  private static func update(_ value: BytePath?) throws(UsageError) -> Update {
    guard let value else { return .older }
    let words = WordList<Update>(
      context: "--update",
      words: Update.allCases.map { ($0, [$0.rawValue]) }
    )
    return try words.meaning(of: value)
  }

  /// Applies the combined effect of all recorded options.
  func settle(_ options: inout CopyOptions) {
    options.existing.updatesOnly = prompt != .skip && update == .older
    switch (prompt, update) {
    case (.skip, _), (_, .none): options.existing.rule = .never
    case (_, .noneFail): options.existing.rule = .failing
    case (.ask, .all), (.ask, .older): options.existing.rule = .ask
    case (.unspecified, .all), (.unspecified, .older): options.existing.rule = .always
    }
  }

  /// The error for a request of backups; nil if files are replaced, so that backups are possible.
  var backupError: UsageError? {
    let replaces = prompt != .skip && update != .none && update != .noneFail
    return replaces ? nil : .backupWithoutReplacing
  }
}
