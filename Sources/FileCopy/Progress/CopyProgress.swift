/// How far a copy is at one moment.
public struct CopyProgress: Sendable, Hashable {
  /// How long the copy has run.
  public internal(set) var elapsed: Duration = .zero
  /// Files, links and special files that are done with, also those that failed.
  public internal(set) var files: Int = 0
  /// Bytes of regular files that came over, holes and shared blocks among them.
  public internal(set) var bytes: Int64 = 0
  /// How many things failed.
  public internal(set) var failures: Int = 0
  /// How many files were found in the sources so far; 0 when nobody counts them.
  public internal(set) var expectedFiles: Int = 0
  /// Their bytes.
  public internal(set) var expectedBytes: Int64 = 0
  /// Whether everything was found.
  public internal(set) var isCounted: Bool = false
  /// Whether the copy has ended.
  public internal(set) var isFinished: Bool = false
}
