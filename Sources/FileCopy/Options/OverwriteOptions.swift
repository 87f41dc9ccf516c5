/// What happens to a file that has a copy's name already.
public enum OverwriteRule: Sendable, Hashable {
  /// It is overwritten.
  case always
  /// Somebody is asked, see ``CopyOptions/confirm``.
  case ask
  /// It stays, and that is no failure.
  case never
  /// It stays, and that is a failure.
  case failing
}

/// How a file that is in the way is kept under another name.
public struct BackupNaming: Sendable, Hashable {
  /// How names of backups are made.
  public enum Kind: Sendable, Hashable {
    /// The name with a suffix; an older backup is lost.
    case simple
    /// The name with the next free number.
    case numbered
    /// Numbered where there are numbered backups of the file, else simple.
    case existing
  }

  /// How names are made.
  public var kind: Kind
  /// What simple names end with.
  public var suffix: FilePath

  /// Makes a rule for names.
  public init(_ kind: Kind = .existing, suffix: FilePath = "~") {
    self.kind = kind
    self.suffix = suffix
  }
}

/// What is made of a source that is no directory.
public enum CopyProduct: Sendable, Hashable {
  /// A file of its own.
  case copies
  /// A further name of the source.
  case hardLinks
  /// A symbolic link to the source's path.
  case symbolicLinks
}

/// Whether a file may be overwritten.
public struct CopyQuestion: Sendable {
  /// The file in the way.
  public let path: FilePath
  /// Its type and permission bits where the process may not write to it, else nil.
  public let unwritableMode: UInt32?
  /// Whether it would be removed rather than written to.
  public let wouldReplace: Bool

  /// The question in the words of cp, without the program's name.
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

  /// The nine letters of `ls`.
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
