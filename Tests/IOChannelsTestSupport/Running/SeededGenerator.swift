/// A small random number generator whose seed is printed, so that a failure can be run again.
///
/// `IOCHANNELS_TEST_SEED` gives the seed of every generator that has no fixed one.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// What the generator was started with.
  public let seed: UInt64
  private var state: UInt64

  /// Starts with a fixed seed, or with the environment's, or with one drawn by the system.
  ///
  /// - Parameters:
  ///   - seed: A fixed seed; nothing is printed then, as the source names it.
  ///   - name: What the printed line calls the test.
  public init(seed: UInt64? = nil, for name: String = #function) {
    if let seed {
      self.seed = seed
    } else {
      let wanted = Calls.environmentValue("IOCHANNELS_TEST_SEED").flatMap { UInt64($0) }
      self.seed = wanted ?? UInt64.random(in: .min ... .max)
      print("seed of \(name): IOCHANNELS_TEST_SEED=\(self.seed)")
    }
    state = self.seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// A number in a range; shorter to write than `Int.random(in:using:)`.
  public mutating func number(in range: Range<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Bytes of a given count.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
      var word = next()
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Whether an event of a probability in percent happens.
  public mutating func chance(percent: Int) -> Bool {
    number(in: 0..<100) < percent
  }
}
