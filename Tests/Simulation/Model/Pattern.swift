import DataRegions

/// The bytes that files begin with and writes are made of.
enum Pattern {
  /// More than any file or write of a run needs.
  static let bytes: [UInt8] = {
    let random = StepGenerator(seed: 0, step: 0)
    return (0..<1 << 18).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  /// A region of its own for each byte.
  static let regions = (0...UInt8.max).map { DataBuffer(CollectionOfOne($0)) }
}
