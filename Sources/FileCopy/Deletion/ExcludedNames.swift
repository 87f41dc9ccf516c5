import IOChannelsSystem

/// The names that a filter excludes from the copy of a directory, and that stay in its destination.
///
/// The removal of entries asks this type about each entry that the source lacks, and about each
/// entry inside of a removed directory. A directory with an excluded entry stays. There are no
/// filters, so that no name is excluded.
struct ExcludedNames: Sendable {
  /// Returns the names that are excluded from the copy of a directory.
  static func names(in directory: CopyDirectory) -> ExcludedNames { ExcludedNames() }

  /// Returns the names that are excluded in a subdirectory that the source lacks.
  func names(inside subdirectory: BytePath) -> ExcludedNames { self }

  /// Whether a name is excluded.
  func contain(_ name: BytePath, isDirectory: Bool) -> Bool { false }
}
