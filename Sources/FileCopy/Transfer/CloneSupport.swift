import IOChannelsSystem

/// The pairs of file systems that can share blocks, so that each pair is probed only once.
struct CloneSupport {
  /// A source's and a destination's file system.
  struct Pair: Hashable {
    var source: UInt64
    var destination: UInt64
  }

  /// The most pairs that are remembered; beyond it the kernel is asked each time.
  static let pairLimit = 1024

  /// What is known of a pair.
  enum Answer {
    case unknown
    case shares
    case refuses
  }

  private var known: [Pair: Answer] = [:]

  /// What is known so far.
  func answer(of pair: Pair) -> Answer { known[pair] ?? .unknown }

  /// Notes that blocks were shared, or could be.
  mutating func noteClone(_ pair: Pair) {
    if answer(of: pair) == .unknown { note(.shares, pair) }
  }

  /// Records a failed clone, and what the error means for the pair.
  ///
  /// - Returns: Whether to copy the file in another way; otherwise the error is reported.
  mutating func recordFailure(_ error: SystemError, of pair: Pair) -> Bool {
    switch error {
    case .notSupported, .inappropriateIOCTLForDevice, .improperLink, .noFunction:
      note(.refuses, pair)
      return true
    case .ioError, .noMemory, .noSpace, .quotaExceeded: return false
    default:
      // It concerns this file only, and the kernel has looked at it.
      noteClone(pair)
      return true
    }
  }

  private mutating func note(_ answer: Answer, _ pair: Pair) {
    if known[pair] != nil || known.count < CloneSupport.pairLimit { known[pair] = answer }
  }
}
