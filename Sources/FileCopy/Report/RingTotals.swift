import RequestEngine

/// Requests and bytes that io_uring carried; all 0 where it cannot be used.
public struct RingTotals: Sendable, Hashable {
  /// Reads and writes that were carried.
  public internal(set) var requests: Int = 0
  /// Bytes that were read.
  public internal(set) var bytesRead: Int = 0
  /// Bytes that were written.
  public internal(set) var bytesWritten: Int = 0

  /// What the process's engine has carried so far; asking does not start it.
  static func soFar() -> RingTotals {
    guard let counts = Engine.sharedIfUsed?.counts else { return RingTotals() }
    return RingTotals(
      requests: counts.ringRequests,
      bytesRead: counts.ringBytesRead,
      bytesWritten: counts.ringBytesWritten
    )
  }

  /// What was carried since an earlier moment.
  func since(_ earlier: RingTotals) -> RingTotals {
    RingTotals(
      requests: requests - earlier.requests,
      bytesRead: bytesRead - earlier.bytesRead,
      bytesWritten: bytesWritten - earlier.bytesWritten
    )
  }
}
