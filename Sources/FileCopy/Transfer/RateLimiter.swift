internal import IOChannelsLocks
import IOChannelsSystem

/// The limit of the bytes that all threads of a copy together transfer in a second.
///
/// Shared blocks and holes are no transfers.
final class RateLimiter: Sendable {
  /// The number of bytes that one step should transfer, so that no wait is long.
  let step: Int64
  private let rule: BargingLock<RateRule>

  /// Creates a limit of at least one byte, which some threads share.
  init(bytesPerSecond rate: Int64, threads: Int) {
    let rule = RateRule(bytesPerSecond: rate, threads: threads)
    step = rule.step
    self.rule = BargingLock(rule)
  }

  /// Counts transferred bytes, and waits until more may be transferred or the copy is stopped.
  func wait(after count: Int64, _ progress: FileProgress) {
    let due = rule.withLock { $0.count(count, at: KernelClock.uptime.nanoseconds) }
    progress.wait(until: due)
  }
}
