import FileCopy

/// What the options and the environment say about backups.
struct BackupWish {
  /// The variables that count where no option says otherwise.
  struct Defaults: Sendable {
    var control: FilePath?
    var suffix: FilePath?
  }

  private var isWished = false
  private var control: FilePath?
  private var suffix: FilePath?

  /// Notes `-b` or `--backup`.
  mutating func wish(_ value: FilePath?) {
    isWished = true
    if let value { control = value }
  }

  /// Notes `-S`, which asks for backups too.
  mutating func wish(suffix value: FilePath?) {
    isWished = true
    suffix = value
  }

  /// Whether backups were asked for, of whatever kind.
  var isMade: Bool { isWished }

  /// How backups are named, nil where none are made.
  func naming(_ defaults: Defaults) throws(UsageError) -> BackupNaming? {
    guard isWished else { return nil }
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
    // An ending must not lead into another directory.
    let isUsable = !ending.isEmpty && !ending.bytes.contains(UInt8(ascii: "/"))
    return BackupNaming(kind, suffix: isUsable ? ending : "~")
  }
}
