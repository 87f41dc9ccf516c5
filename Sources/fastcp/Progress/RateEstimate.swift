import Glibc

/// The transfer rate, smoothed exponentially.
struct RateEstimate {
  /// The time, in seconds, in which the weight of older rates falls to about a third.
  private static let timeConstant = 5.0

  /// The rate in bytes per second; nil before the second sample.
  private(set) var rate: Double?
  private var last: (seconds: Double, bytes: Int64)?

  /// Adds a sample. A sample that is not later than the previous one is ignored.
  mutating func note(bytes: Int64, at seconds: Double) {
    guard let before = last else {
      last = (seconds, bytes)
      return
    }
    let step = seconds - before.seconds
    guard step > 0 else { return }
    // The bytes of a failed file no longer count.
    let current = Double(max(bytes - before.bytes, 0)) / step
    if let rate {
      let weight = 1 - exp(-step / RateEstimate.timeConstant)
      self.rate = rate + (current - rate) * weight
    } else {
      rate = current
    }
    last = (seconds, bytes)
  }

  /// Returns the estimated time for further bytes, in seconds; nil if the rate is unknown.
  func seconds(for bytes: Int64) -> Double? {
    guard let rate, rate >= 1, bytes >= 0 else { return nil }
    return Double(bytes) / rate
  }
}
