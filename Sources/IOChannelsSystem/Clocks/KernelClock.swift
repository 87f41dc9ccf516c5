internal import CIOChannelsSystem

/// A clock of the kernel.
package enum KernelClock: Int, CaseIterable, Sendable {
  /// Counts from the start of the machine and stands still while it sleeps.
  case uptime
  /// Counts from the start of the machine, also while it sleeps.
  case bootTime
  /// Counts from the start of the year 1970, and jumps when somebody sets it.
  case wall

  /// The nanoseconds since the clock's start; costs no system call.
  package var nanoseconds: Int64 {
    // The kernel has all three clocks, so there is no error to report.
    csys_clock(number).value
  }

  /// The nanoseconds that processors have worked for this process, as of some milliseconds ago.
  package static var processorTime: Int64 { csys_clock(CSYS_CLOCK_PROCESS_CPUTIME_ID).value }

  /// The kernel's number of the clock.
  var number: Int32 {
    switch self {
    case .uptime: CSYS_CLOCK_MONOTONIC
    case .bootTime: CSYS_CLOCK_BOOTTIME
    case .wall: CSYS_CLOCK_REALTIME
    }
  }
}
