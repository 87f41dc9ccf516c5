import SystemCalls

/// Which pairs of file systems do not share blocks, so that asking costs once and not per file.
struct CloneSupport {
  /// A source's and a destination's file system.
  struct Pair: Hashable {
    var source: UInt64
    var destination: UInt64
  }

  /// The most pairs that are remembered; beyond it the kernel is asked each time.
  static let pairLimit = 1024

  private var refusing: Set<Pair> = []

  /// Whether to try.
  func mayClone(_ pair: Pair) -> Bool { !refusing.contains(pair) }

  /// What a refusal means for the file, and remembers what it means for the pair.
  ///
  /// - Returns: Whether the file is to be copied in another way; else the error is the file's own.
  mutating func isRefusal(_ error: Errno, of pair: Pair) -> Bool {
    switch error {
    case .notSupported, .inappropriateIOCTLForDevice, .improperLink, .noFunction:
      if refusing.count < CloneSupport.pairLimit { refusing.insert(pair) }
      return true
    case .ioError, .noMemory, .noSpace, .quotaExceeded: return false
    default: return true
    }
  }
}
