/// The rule by which data that arrive between two handler calls become one value.
package enum Accumulation: Equatable, Sendable {
  /// The sum, which wraps around.
  case sum
  /// The bitwise OR of the values, each limited to a mask.
  case union(mask: UInt)
  /// The latest value.
  case latest

  /// Returns the data of two events as one value.
  func merging(_ pending: UInt, _ data: UInt) -> UInt {
    switch self {
    case .sum: pending &+ data
    case .union(let mask): pending | data & mask
    case .latest: data
    }
  }
}
