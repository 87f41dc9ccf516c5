package import IOChannelsEngine
import Glibc
import IOChannelsSystem

extension Engine {
  /// Waits at most 30 seconds until all requests have ended.
  ///
  /// - Returns: Whether they have.
  package func becomesIdle() -> Bool {
    let end = KernelClock.uptime.nanoseconds + 30_000_000_000
    while KernelClock.uptime.nanoseconds < end {
      let report = report()
      if report.inFlightCount == 0 && report.waitingCount == 0 { return true }
      _ = poll(nil, 0, 1)
    }
    return false
  }
}
