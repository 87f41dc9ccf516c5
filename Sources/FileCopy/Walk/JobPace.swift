import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// Looks now and then how many tasks are worth doing at a time.
final class JobPace: Sendable {
  private struct Sample {
    var rule: JobRule
    var time: Int64
    var used: Int64
  }

  /// How long processor time is collected: the kernel's own account of it is some milliseconds old.
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

  /// The number that is right as far as is known.
  var count: Int { sample.withLock { $0.rule.count } }

  /// The number that is right from now on, where it was time to look again.
  ///
  /// Mostly it costs a look at the clock.
  func look() -> Int? {
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
