internal import CIOChannelsSystem

/// A clock of the kernel.
package enum KernelClock: Int, CaseIterable, Sendable {
  /// The time since boot, without the time that the machine was suspended (`CLOCK_MONOTONIC`).
  case uptime
  /// The time since boot, including the time that the machine was suspended (`CLOCK_BOOTTIME`).
  case bootTime
  /// The time since the start of 1970, which jumps when the clock is set (`CLOCK_REALTIME`).
  case wall

  /// The nanoseconds since the clock's start.
  ///
  /// Reading the clock costs no system call.
  package var nanoseconds: Int64 {
    // All three clocks exist on Linux, so there is no error to report.
    csys_clock(number).value
  }

  /// The processor time of this process in nanoseconds, which may lag by some milliseconds.
  package static var processorTime: Int64 { csys_clock(CSYS_CLOCK_PROCESS_CPUTIME_ID).value }

  /// The clock's number for `clock_gettime`.
  var number: Int32 {
    switch self {
    case .uptime: CSYS_CLOCK_MONOTONIC
    case .bootTime: CSYS_CLOCK_BOOTTIME
    case .wall: CSYS_CLOCK_REALTIME
    }
  }
}
