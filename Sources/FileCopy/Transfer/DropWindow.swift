/// The ranges of a growing file that are flushed during its copy, and may then be dropped from the
/// page cache.
///
/// The kernel writes back the latest complete window. Meanwhile the copy waits for the window
/// before it and drops that one, so that at most two windows are in memory.
struct DropWindow {
  /// The minimum length of a window, in bytes, whose pages are dropped.
  static let length: Int64 = 32 << 20

  private let length: Int64

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

  /// Creates a window at the start of a file.
  init(length: Int64 = DropWindow.length) {
    self.length = length
  }

  /// The range behind the last window whose write-back was started.
  var unsubmitted: Range<Int64> { submitted..<end }

  /// The last window whose write-back was started, and has not been awaited. It may be empty.
  var unawaited: Range<Int64> { dropped..<submitted }

  /// Records bytes that were appended.
  ///
  /// - Returns: The actions that are due; nil until a window is complete.
  mutating func advance(by count: Int64) -> Step? { advance(to: end + count) }

  /// Records that the file was written up to an offset, which may lie behind a hole.
  ///
  /// - Returns: The actions that are due; nil until a window is complete.
  mutating func advance(to offset: Int64) -> Step? {
    end = max(end, offset)
    guard end - submitted >= length else { return nil }
    let step = Step(written: submitted..<end, dropped: dropped..<submitted)
    dropped = submitted
    submitted = end
    return step
  }
}
