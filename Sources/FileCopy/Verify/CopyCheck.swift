/// The method by which a copy was verified.
public enum CopyCheck: String, Sendable, Hashable, CaseIterable {
  /// The copy was read back from disk.
  case disk
  /// The copy was read back, but possibly from the page cache.
  case cached
  /// The copy shares all blocks with its source, so that nothing was read back.
  case shared
}

extension CopyReport {
  /// The number of verified files, by any method.
  public var verifiedFiles: Int { checks.values.reduce(0, +) }
}
