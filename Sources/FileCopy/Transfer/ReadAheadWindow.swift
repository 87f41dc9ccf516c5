/// The range of a file that is prefetched ahead of its copy.
struct ReadAheadWindow: Sendable {
  /// The maximum distance between the copied and the prefetched end.
  static let reach: Int64 = 32 << 20
  /// The same for a paced copy, whose reads delay the flushes of other programs too.
  static let pacedReach: Int64 = 2 << 20
  /// The number of bytes missing in the window for which prefetching is started.
  static let step: Int64 = 1 << 20
  /// The maximum number of bytes that one call requests.
  ///
  /// Of a longer range, the kernel reads only the length of one disk request, or of its own
  /// read-ahead.
  static let callLength: Int64 = 256 << 10

  private let length: Int64
  private let reach: Int64
  private var copied: Int64 = 0
  /// The end of the range that was prefetched.
  private var requested: Int64 = 0
  private var isPrefetching = false
  /// Whether prefetching has ended.
  private(set) var isStopped = false

  /// Creates the window of a file.
  ///
  /// - Parameters:
  ///   - length: The length of the file.
  ///   - reach: The maximum distance between the copied and the prefetched end.
  init(length: Int64, reach: Int64 = ReadAheadWindow.reach) {
    self.length = length
    self.reach = reach
  }

  /// Records further copied bytes.
  ///
  /// - Returns: Whether a thread is to begin to prefetch the ranges that ``next()`` returns.
  mutating func advance(by count: Int) -> Bool {
    copied += Int64(count)
    if isStopped || isPrefetching { return false }
    let missing = copied + reach - requested
    guard requested < length, missing >= ReadAheadWindow.step else { return false }
    isPrefetching = true
    return true
  }

  /// Returns the next range to prefetch; nil if the window is full.
  mutating func next() -> Range<Int64>? {
    requested = max(requested, copied)
    guard !isStopped, requested < min(length, copied + reach) else {
      isPrefetching = false
      return nil
    }
    let start = requested
    requested = min(start + ReadAheadWindow.callLength, length)
    return start..<requested
  }

  /// Ends the prefetching.
  mutating func stop() {
    isStopped = true
  }
}
