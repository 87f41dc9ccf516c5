/// How it was made sure that a copy is right.
public enum CopyCheck: String, Sendable, Hashable, CaseIterable {
  /// The copy was read from the disk again.
  case disk
  /// The copy was read again, but the system may have answered from memory.
  case cached
  /// The copy has the very blocks of its source.
  case shared
}

extension CopyReport {
  /// How many files were verified in whatever way.
  public var verifiedFiles: Int { checks.values.reduce(0, +) }
}
