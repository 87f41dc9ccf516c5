/// Which parts of a file that is being copied are written to the disk and taken out of memory.
///
/// A window behind the last bytes is being written; the one behind that is waited for and dropped,
/// so that at most two windows are in memory.
struct DropWindow {
  /// How much is written at a time.
  static let length: Int64 = 32 << 20

  /// What to do with two parts of the file.
  struct Step: Equatable {
    /// To be written from now on.
    var written: Range<Int64>
    /// To be waited for and dropped; may be empty.
    var dropped: Range<Int64>
  }

  private var end: Int64 = 0
  private var begun: Int64 = 0
  private var dropped: Int64 = 0

  /// Notes that bytes were added at the end.
  mutating func moved(_ count: Int64) -> Step? {
    end += count
    guard end - begun >= DropWindow.length else { return nil }
    let step = Step(written: begun..<end, dropped: dropped..<begun)
    dropped = begun
    begun = end
    return step
  }
}
