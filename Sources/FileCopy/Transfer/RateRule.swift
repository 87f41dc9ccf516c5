/// The pace of transfers whose number of bytes in a second is limited, as a pure function of time.
///
/// Bytes are counted after their transfer. They are due when a transfer at the limit would have
/// moved them. The thread then waits until that time. Unused time is lost, except for a tenth of a
/// second, so that a slow moment is not followed by a burst.
struct RateRule {
  /// The unused time, in nanoseconds, that later transfers may make up for.
  static let credit: Int64 = 100_000_000

  private let rate: Int64
  /// The number of threads that share the limit.
  private let threads: Int64
  /// The time, in nanoseconds, at which all counted bytes are due.
  private var due = Int64.min

  /// Creates a rule for some threads. A limit below 1 counts as 1.
  init(bytesPerSecond rate: Int64, threads: Int = 1) {
    self.rate = max(rate, 1)
    self.threads = max(Int64(threads), 1)
  }

  /// Counts bytes whose transfer ended at the time `now`, in nanoseconds.
  ///
  /// - Returns: The time at which the next transfer may begin.
  mutating func count(_ bytes: Int64, at now: Int64) -> Int64 {
    let duration = Double(max(bytes, 0)) / Double(rate) * 1e9
    let start = max(due, now - RateRule.credit)
    let (end, overflows) = start.addingReportingOverflow(Int64(exactly: duration.rounded()) ?? .max)
    due = overflows ? .max : end
    return due
  }

  /// The number of bytes that one step should transfer, so that no wait is long.
  ///
  /// Each thread transfers its first step before any bytes are due, so that all of these steps
  /// together last an eighth of a second. A step is a multiple of 4 KiB, which direct I/O needs.
  var step: Int64 {
    let share = rate / 8 / threads / RateRule.block * RateRule.block
    return min(max(share, RateRule.block), 8 << 20)
  }

  private static let block: Int64 = 4096
}
