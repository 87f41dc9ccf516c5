import FileCopy

/// The options and environment variables that request backups.
struct BackupRequest {
  /// The values of environment variables, which apply unless an option overrides them.
  struct Defaults: Sendable {
    var control: BytePath?
    var suffix: BytePath?
  }

  /// Whether backups of any kind are requested.
  private(set) var isRequested = false
  private var control: BytePath?
  private var suffix: BytePath?

  /// Records `-b` or `--backup`.
  mutating func note(control value: BytePath?) {
    isRequested = true
    if let value { control = value }
  }

  /// Records `-S`, which requests backups too.
  mutating func note(suffix value: BytePath?) {
    isRequested = true
    suffix = value
  }

  /// Returns the naming of backups; nil if none are requested.
  func naming(_ defaults: Defaults) throws(UsageError) -> BackupNaming? {
    guard isRequested else { return nil }
    let context = control == nil ? "$VERSION_CONTROL" : "backup type"
    let words = WordList<BackupNaming.Kind?>(
      context: context,
      words: [
        (nil, ["none", "off"]), (.simple, ["simple", "never"]), (.existing, ["existing", "nil"]),
        (.numbered, ["numbered", "t"]),
      ]
    )
    var kind: BackupNaming.Kind? = .existing
    if let word = control ?? defaults.control, !word.isEmpty { kind = try words.meaning(of: word) }
    guard let kind else { return nil }
    let ending = suffix ?? defaults.suffix ?? "~"
    // A suffix must not lead into another directory.
    let isUsable = !ending.isEmpty && !ending.bytes.contains(UInt8(ascii: "/"))
    return BackupNaming(kind, suffix: isUsable ? ending : "~")
  }
}
