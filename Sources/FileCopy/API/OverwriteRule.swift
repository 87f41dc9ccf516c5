/// The treatment of an existing destination file.
public enum OverwriteRule: Sendable, Hashable {
  /// It is replaced.
  case always
  /// It is replaced if ``CopyOptions/Existing/confirm`` returns true.
  case ask
  /// It is kept, which is not a failure.
  case never
  /// It is kept, and the copy of its source fails.
  case failing
}

/// The naming of backups of existing files.
public struct BackupNaming: Sendable, Hashable {
  /// The form of the names of backups.
  public enum Kind: Sendable, Hashable {
    /// The name with a suffix. An older backup is replaced.
    case simple
    /// The name with the next free number.
    case numbered
    /// Numbered if there are numbered backups of the file already, otherwise simple.
    case existing
  }

  /// The form of the names.
  public var kind: Kind
  /// The suffix of simple names.
  public var suffix: BytePath

  /// Creates a rule for names.
  public init(_ kind: Kind = .existing, suffix: BytePath = "~") {
    self.kind = kind
    self.suffix = suffix
  }
}

/// The kind of entry that is created for a source that is not a directory.
public enum CopyProduct: Sendable, Hashable {
  /// An independent copy.
  case copies
  /// A hard link to the source.
  case hardLinks
  /// A symbolic link to the source's path.
  case symbolicLinks
}

/// The question whether an existing file may be overwritten; see ``CopyOptions/Existing/confirm``.
public struct CopyQuestion: Sendable {
  /// The existing file.
  public let path: BytePath
  /// The type and permission bits of the existing file if the process may not write to it;
  /// otherwise nil.
  public let unwritableMode: UInt32?
  /// Whether the file would be removed and created anew instead of overwritten in place.
  public let wouldReplace: Bool

  /// Returns the question in the wording of cp, without the program's name.
  public func text(quoting: ShellQuoting = .utf8) -> String {
    let name = quoting.quote(path)
    guard let mode = unwritableMode else { return "overwrite \(name)? " }
    let digits = String(mode & 0o7777, radix: 8)
    let octal = String(repeating: "0", count: 4 - digits.count) + digits
    let letters = CopyQuestion.letters(of: mode)
    return wouldReplace
      ? "replace \(name), overriding mode \(octal) (\(letters))? "
      : "unwritable \(name) (mode \(octal), \(letters)); try anyway? "
  }

  /// Returns the permission bits as the nine letters of `ls -l`.
  private static func letters(of mode: UInt32) -> String {
    let special: [(UInt32, Character, Character)] = [
      (0o4000, "s", "S"), (0o2000, "s", "S"), (0o1000, "t", "T"),
    ]
    var text = ""
    for (index, (bit, lower, upper)) in special.enumerated() {
      let triple = mode >> UInt32(6 - 3 * index) & 7
      let runs = triple & 1 != 0
      text.append(triple & 4 != 0 ? "r" : "-")
      text.append(triple & 2 != 0 ? "w" : "-")
      text.append(mode & bit != 0 ? (runs ? lower : upper) : runs ? "x" : "-")
    }
    return text
  }
}
