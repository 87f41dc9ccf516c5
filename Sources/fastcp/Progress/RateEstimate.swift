import Glibc

/// The transfer rate, smoothed exponentially.
struct RateEstimate {
  /// The time constant, in seconds: the weight of older rates falls to about a third in it.
  private static let memory = 5.0

  /// The rate in bytes per second; nil before the second sample.
  private(set) var rate: Double?
  private var last: (seconds: Double, bytes: Int64)?

  /// Adds a sample; one that is not later than the last is ignored.
  mutating func note(bytes: Int64, at seconds: Double) {
    guard let before = last else {
      last = (seconds, bytes)
      return
    }
    let step = seconds - before.seconds
    guard step > 0 else { return }
    let current = Double(bytes - before.bytes) / step
    if let rate {
      let weight = 1 - exp(-step / RateEstimate.memory)
      self.rate = rate + (current - rate) * weight
    } else {
      rate = current
    }
    last = (seconds, bytes)
  }

  /// Returns the seconds that further bytes take; nil where the rate is unknown.
  func seconds(for bytes: Int64) -> Double? {
    guard let rate, rate >= 1, bytes >= 0 else { return nil }
    return Double(bytes) / rate
  }
}
