/// The times that one of a hundred, and one of a thousand, operations exceed, in microseconds.
public struct Tail: Codable, Sendable, Equatable {
  /// The 99th percentile.
  public let p99: Double
  /// The 99.9th percentile.
  public let p999: Double

  /// Gives both.
  public init(p99: Double, p999: Double) {
    self.p99 = p99
    self.p999 = p999
  }

  /// Finds both in the times of single operations.
  public init(nanoseconds: [UInt64]) {
    let sorted = nanoseconds.sorted()
    func value(_ share: Double) -> Double {
      if sorted.isEmpty { return 0 }
      let index = Int(Double(sorted.count) * share)
      return Double(sorted[min(index, sorted.count - 1)]) / 1000
    }
    self.init(p99: value(0.99), p999: value(0.999))
  }
}
