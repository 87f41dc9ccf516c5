import IOChannelsSystem

/// The known pairs of file systems that can or cannot share blocks.
///
/// A pair that cannot is tried only once.
struct CloneSupport {
  /// The file systems of a source and a destination.
  struct Pair: Hashable {
    var source: UInt64
    var destination: UInt64
  }

  /// The maximum number of pairs that are stored. Beyond it, each file is tried.
  static let pairLimit = 1024

  /// The knowledge about a pair.
  enum Answer {
    case unknown
    case shares
    case refuses
  }

  private var known: [Pair: Answer] = [:]

  /// Returns the current knowledge about a pair.
  func answer(of pair: Pair) -> Answer { known[pair] ?? .unknown }

  /// Records that the pair shared blocks, or is able to.
  mutating func noteClone(_ pair: Pair) {
    if answer(of: pair) == .unknown { record(.shares, pair) }
  }

  /// Records a failed clone, and the consequence of its error for the pair.
  ///
  /// - Returns: Whether the file is to be copied in another way. Otherwise the error is reported.
  mutating func recordFailure(_ error: SystemError, of pair: Pair) -> Bool {
    switch error {
    case .notSupported, .inappropriateIOCTLForDevice, .improperLink, .noFunction:
      record(.refuses, pair)
      return true
    case .ioError, .noMemory, .noSpace, .quotaExceeded: return false
    default:
      // The error concerns this file only. The kernel examined the file, so the pair is supported.
      noteClone(pair)
      return true
    }
  }

  private mutating func record(_ answer: Answer, _ pair: Pair) {
    if known[pair] != nil || known.count < CloneSupport.pairLimit { known[pair] = answer }
  }
}
