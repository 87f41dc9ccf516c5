import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// The periodic sampling of processor time that drives a `JobRule`.
final class JobPace: Sendable {
  private struct Sample {
    var rule: JobRule
    var time: Int64
    var used: Int64
  }

  /// The interval between samples, in nanoseconds.
  ///
  /// It must be long, because the processor time that the kernel reports is some milliseconds old.
  private static let interval: Int64 = 16_000_000

  private let sample: BargingLock<Sample>
  private let next: Atomic<Int64>

  init(processors: Int, most: Int) {
    let now = KernelClock.uptime.nanoseconds
    sample = BargingLock(
      Sample(
        rule: JobRule(processors: processors, most: most),
        time: now,
        used: KernelClock.processorTime
      )
    )
    next = Atomic(now + JobPace.interval)
  }

  /// The current number of concurrent tasks.
  var count: Int { sample.withLock { $0.rule.count } }

  /// Takes a sample if the interval has passed. Most calls only read the clock.
  ///
  /// - Returns: The new number of concurrent tasks; nil if no sample was due.
  func sampleIfDue() -> Int? {
    let now = KernelClock.uptime.nanoseconds
    let due = next.load(ordering: .relaxed)
    guard now >= due,
      next.compareExchange(
        expected: due,
        desired: now + JobPace.interval,
        ordering: .relaxed
      ).exchanged
    else { return nil }
    let used = KernelClock.processorTime
    return sample.withLock { sample in
      sample.rule.note(used: used - sample.used, of: max(now - sample.time, 1))
      (sample.time, sample.used) = (now, used)
      return sample.rule.count
    }
  }
}
