/// The ranges of a growing file that are flushed and then dropped from the page cache.
///
/// The kernel writes back the latest complete window. Meanwhile the copy waits for the window
/// before it and drops that one, so that at most two windows are in memory.
struct DropWindow {
  /// The minimum length of a window, in bytes.
  static let length: Int64 = 32 << 20

  /// The actions that are due for two ranges of the file.
  struct Step: Equatable {
    /// The range whose write-back is to be started.
    var written: Range<Int64>
    /// The range whose write-back is to be awaited before the range is dropped. It may be empty.
    var dropped: Range<Int64>
  }

  private var end: Int64 = 0
  /// The end of the range whose write-back was started.
  private var submitted: Int64 = 0
  /// The end of the range that was dropped.
  private var dropped: Int64 = 0

  /// Records bytes that were appended.
  ///
  /// - Returns: The actions that are due; nil until a window is complete.
  mutating func advance(by count: Int64) -> Step? {
    end += count
    guard end - submitted >= DropWindow.length else { return nil }
    let step = Step(written: submitted..<end, dropped: dropped..<submitted)
    dropped = submitted
    submitted = end
    return step
  }
}
