import Glibc

/// How fast bytes come, smoothed so that single moments do not show.
struct RateEstimate {
  /// What lies this long back counts for about a third.
  private static let memory = 5.0

  /// Bytes a second, nil before two moments are known.
  private(set) var rate: Double?
  private var last: (seconds: Double, bytes: Int64)?

  /// Notes how much came until a moment; earlier moments are passed over.
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

  /// How many seconds further bytes take; nil where nobody can tell.
  func seconds(for bytes: Int64) -> Double? {
    guard let rate, rate >= 1, bytes >= 0 else { return nil }
    return Double(bytes) / rate
  }
}
