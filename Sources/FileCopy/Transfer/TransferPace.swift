/// The limits of the rate and of unwritten data, as they apply to one file.
final class TransferPace {
  /// The limit of the rate, if there is one.
  private let limiter: RateLimiter?
  /// The write-back behind the copy, if that is requested.
  private let writeBack: PacedWriteBack?

  init(_ limiter: RateLimiter?, _ writeBack: PacedWriteBack?) {
    self.limiter = limiter
    self.writeBack = writeBack
  }

  /// Whether copied data is written back during the copy.
  var limitsUnwrittenData: Bool { writeBack != nil }

  /// The number of bytes that one step may transfer.
  var step: Int64 {
    let window = writeBack == nil ? .max : PacedWriteBack.windowLength
    return min(limiter?.step ?? PacedWriteBack.windowLength, window)
  }

  /// Waits after a step that transferred `count` bytes and has reached the offset `end`.
  func wait(
    after count: Int64,
    to end: Int64,
    _ progress: FileProgress
  ) throws(DataFailure) {
    limiter?.wait(after: count, progress)
    try writeBack?.advance(to: end)
  }

  /// Ends the write-back of a complete file.
  func finish() throws(DataFailure) {
    try writeBack?.finish()
  }
}
