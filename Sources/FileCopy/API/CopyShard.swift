/// One of several disjoint parts of a copy, or the step after them.
///
/// Several processes copy one tree, each one a part, also on several machines that share the file
/// systems. All of them have the same sources, destination and options, and the same number of
/// parts. They need not run at the same time, and each one may run again.
///
/// A file with one name belongs to a part by a hash of its path below the destination. A file with
/// several names belongs to a part by its inode number, so that its names stay links of one file.
/// Each part reads all directories of the sources and creates those that are missing. It sets no
/// metadata of directories. At its end, a complete part leaves a report in the destination.
public enum CopyShard: Sendable, Hashable {
  /// The part with an index from 0 to `count` - 1.
  case part(_ index: Int, of: Int)
  /// The step after all parts.
  ///
  /// It fails and changes nothing unless all parts have reported, with the same number of parts. It
  /// then checks that each source has a copy of the same type and length, sets the metadata of all
  /// directories, and removes the reports if nothing failed.
  case finish

  /// Whether the values are valid: a number of parts of at least 1, and an index below it.
  public var isValid: Bool {
    switch self {
    case .part(let index, let count): count >= 1 && (0..<count).contains(index)
    case .finish: true
    }
  }
}
