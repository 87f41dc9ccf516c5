import IOChannelsEngine

/// The requests and bytes that io_uring carried while a copy ran.
///
/// They are those of all channels of the process. Where io_uring is not available, all are 0.
package struct RingTotals: Sendable, Hashable {
  /// The number of reads and writes.
  package internal(set) var requests: Int = 0
  /// The number of bytes read.
  package internal(set) var bytesRead: Int = 0
  /// The number of bytes written.
  package internal(set) var bytesWritten: Int = 0

  /// Returns the totals of the process's engine, without starting it.
  static func soFar() -> RingTotals {
    guard let counts = Engine.sharedIfUsed?.counts else { return RingTotals() }
    return RingTotals(
      requests: counts.ringRequests,
      bytesRead: counts.ringBytesRead,
      bytesWritten: counts.ringBytesWritten
    )
  }

  /// Returns the difference to earlier totals.
  func since(_ earlier: RingTotals) -> RingTotals {
    RingTotals(
      requests: requests - earlier.requests,
      bytesRead: bytesRead - earlier.bytesRead,
      bytesWritten: bytesWritten - earlier.bytesWritten
    )
  }
}
