/// What to copy of files besides their bytes.
public struct PreservedAttributes: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Makes a set of its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The permission bits, set-id and sticky among them, and access lists.
  public static let mode = PreservedAttributes(rawValue: 1)
  /// Owner and group, as far as the process may give files away.
  public static let ownership = PreservedAttributes(rawValue: 2)
  /// The times of the last access and the last change, to the nanosecond.
  public static let timestamps = PreservedAttributes(rawValue: 4)
  /// Names of one file stay names of one file.
  public static let links = PreservedAttributes(rawValue: 8)
  /// Extended attributes, capabilities of programs among them, but for access lists, the label of
  /// SELinux and what `/etc/xattr.conf` says to skip.
  public static let extendedAttributes = PreservedAttributes(rawValue: 16)
  /// The label of SELinux, which is an extended attribute too.
  public static let securityContext = PreservedAttributes(rawValue: 32)
  /// Everything.
  public static let all: PreservedAttributes = [
    .mode, .ownership, .timestamps, .links, .extendedAttributes, .securityContext,
  ]
}

/// What becomes of extended attributes that cannot be copied.
public enum AttributeLoss: Sendable, Hashable {
  /// Nobody hears of them.
  case ignored
  /// They are warnings; those that the destination cannot store at all are nothing.
  case warned
  /// They are failures.
  case failing
}

/// Whether copies share their source's blocks.
public enum CloneRule: Sendable, Hashable {
  /// Where that can be done.
  case automatic
  /// Else the copy fails.
  case always
  /// Never, so that each copy has blocks of its own.
  case never
}

/// What becomes of zeros in a file.
public enum HoleRule: Sendable, Hashable {
  /// Holes stay holes.
  case automatic
  /// Blocks of zeros become holes; the file shares no blocks then.
  case always
  /// Everything is written; the file shares no blocks then.
  case never
}
