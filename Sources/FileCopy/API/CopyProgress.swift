/// The progress of a copy at one moment.
///
/// With several destinations, all numbers are the sums of all of them.
public struct CopyProgress: Sendable, Hashable {
  /// The time since the copy began.
  public internal(set) var elapsed: Duration = .zero
  /// The number of finished files, links and special files, including those that failed.
  public internal(set) var fileCount: Int = 0
  /// The number of copied bytes of regular files, including holes and shared blocks.
  ///
  /// The bytes of a file that fails, or that is copied again, are subtracted.
  public internal(set) var byteCount: Int64 = 0
  /// The source of the file that is being copied, or nil.
  ///
  /// Of several it is the one that was begun first. Without ``CopyOptions/countsAhead`` it is nil.
  public internal(set) var currentFile: BytePath?
  /// The number of failures.
  public internal(set) var failureCount: Int = 0
  /// The number of files found in the sources so far; 0 without ``CopyOptions/countsAhead``.
  public internal(set) var expectedFileCount: Int = 0
  /// The number of bytes found in the sources so far, without those of files that are skipped.
  public internal(set) var expectedByteCount: Int64 = 0
  /// Whether the count of the sources is complete.
  ///
  /// It is never complete if a source has no length, such as a FIFO.
  public internal(set) var isCounted: Bool = false
  /// An estimate of the bytes that are still to be written; nil until the final flush has begun.
  ///
  /// With several destinations it is always nil, because they end at different times.
  /// The kernel counts the data of all programs together. See ``CopyOptions/durability``.
  public internal(set) var unwrittenByteCount: Int64?
  /// Whether the copy has ended.
  public internal(set) var isFinished: Bool = false

  /// The completed part of the copy, from 0 to 1; nil while the totals are unknown.
  ///
  /// It is the part of the bytes, or of the files if the sources have no bytes. The totals are
  /// known as soon as ``isCounted`` is true, which needs ``CopyOptions/countsAhead``. A copy that
  /// is stopped or leaves files out may end below 1.
  public var fractionCompleted: Double? {
    guard isCounted else { return nil }
    let hasBytes = expectedByteCount > 0
    let done = hasBytes ? Double(byteCount) : Double(fileCount)
    let all = hasBytes ? Double(expectedByteCount) : Double(expectedFileCount)
    return all > 0 ? min(max(done / all, 0), 1) : 1
  }
}
