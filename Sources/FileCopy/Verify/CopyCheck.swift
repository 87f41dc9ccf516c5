/// The way in which a copy was verified.
public enum CopyCheck: String, Sendable, Hashable, CaseIterable {
  /// The copy was read back from disk.
  case disk
  /// The copy was read back, but possibly from the page cache.
  case cached
  /// The copy shares all blocks with its source.
  case shared
}

extension CopyReport {
  /// The number of files that were verified, in whichever way.
  ///
  /// They include files that share all blocks with their source and were not read.
  public var verifiedFileCount: Int { checkCounts.values.reduce(0, +) }
}
