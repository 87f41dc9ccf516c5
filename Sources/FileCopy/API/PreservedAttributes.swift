/// The attributes that are copied along with the contents of files.
public struct PreservedAttributes: OptionSet, Sendable, Hashable {
  /// The raw bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its raw bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The permission bits, including set-ID and sticky bits, and access control lists.
  public static let mode = PreservedAttributes(rawValue: 1)
  /// The owner and group, as far as the process may set them.
  public static let ownership = PreservedAttributes(rawValue: 2)
  /// The access and modification times, in nanoseconds.
  public static let timestamps = PreservedAttributes(rawValue: 4)
  /// Hard links: several names of one source file become names of one copy.
  public static let links = PreservedAttributes(rawValue: 8)
  /// Extended attributes, including file capabilities.
  ///
  /// Access control lists, the SELinux label and the attributes that `/etc/xattr.conf` excludes are
  /// not among them.
  public static let extendedAttributes = PreservedAttributes(rawValue: 16)
  /// The SELinux label.
  public static let securityContext = PreservedAttributes(rawValue: 32)
  /// All attributes.
  public static let all: PreservedAttributes = [
    .mode, .ownership, .timestamps, .links, .extendedAttributes, .securityContext,
  ]
}

/// The treatment of extended attributes that cannot be copied.
public enum AttributeLoss: Sendable, Hashable {
  /// They are skipped silently.
  case ignored
  /// Each is a warning. Attributes that the destination cannot store at all are skipped silently.
  case warned
  /// Each is a failure.
  case failing
}

/// Whether copies share blocks with their sources (clones, reflinks).
public enum CloneRule: Sendable, Hashable {
  /// Share blocks where the file systems support it.
  case automatic
  /// Share blocks, or fail.
  case always
  /// Never share blocks.
  case never
}

/// The treatment of holes and zeros in files.
public enum HoleRule: Sendable, Hashable {
  /// Holes of the source become holes of the copy.
  case automatic
  /// Blocks of zeros become holes as well. Blocks are not shared then.
  case always
  /// All bytes are written, without holes. Blocks are not shared then.
  case never
}
