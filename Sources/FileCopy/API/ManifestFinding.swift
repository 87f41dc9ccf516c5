import IOChannelsSystem

/// A difference between a directory and its manifest.
///
/// Paths are those of the manifest, relative to the directory.
public enum ManifestFinding: Sendable, Hashable {
  /// A listed file does not exist.
  case missing(BytePath)
  /// A listed file has another checksum, or is no regular file.
  case changed(BytePath)
  /// A regular file is not listed.
  case extra(BytePath)
  /// A file or directory could not be read.
  case unreadable(BytePath, SystemError)
}

/// The result of a comparison of a directory with its manifest.
public struct ManifestReport: Sendable, Hashable {
  /// The number of files with the listed checksums.
  public internal(set) var equalCount: Int = 0
  /// The number of those files that were read from the page cache, because it cannot be bypassed.
  public internal(set) var cachedCount: Int = 0
  /// The number of bytes that were read.
  public internal(set) var byteCount: Int64 = 0
  /// The number of listed files that do not exist.
  public internal(set) var missingCount: Int = 0
  /// The number of listed files with another checksum, or that are no regular files.
  public internal(set) var changedCount: Int = 0
  /// The number of regular files that are not listed.
  public internal(set) var extraCount: Int = 0
  /// The number of files and directories that could not be read.
  public internal(set) var unreadableCount: Int = 0
  /// Whether the comparison was stopped before its end.
  public internal(set) var isStopped: Bool = false

  /// Whether the directory has exactly the listed files with the listed checksums.
  public var isEqual: Bool {
    missingCount == 0 && changedCount == 0 && extraCount == 0 && unreadableCount == 0 && !isStopped
  }

  mutating func add(_ other: ManifestReport) {
    equalCount += other.equalCount
    cachedCount += other.cachedCount
    byteCount.grow(by: other.byteCount)
    missingCount += other.missingCount
    changedCount += other.changedCount
    extraCount += other.extraCount
    unreadableCount += other.unreadableCount
    isStopped = isStopped || other.isStopped
  }

  mutating func add(_ finding: ManifestFinding) {
    switch finding {
    case .missing: missingCount += 1
    case .changed: changedCount += 1
    case .extra: extraCount += 1
    case .unreadable: unreadableCount += 1
    }
  }
}
