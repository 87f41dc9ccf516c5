import CIOChannelsSystem
internal import IOChannelsLocks

/// The flags of one transfer call.
struct TransferFlags {
  let rawValue: Int32
  /// Whether the call reports a closed reader only by an error, without `SIGPIPE`.
  let isQuiet: Bool

  /// Creates the flags of a call.
  ///
  /// - Parameters:
  ///   - waits: Whether the call may wait for a peer.
  ///   - isUncached: Whether transferred pages are dropped from the page cache afterwards.
  ///   - hasPeer: Whether there is a reader that may close, as with a pipe or socket.
  init(waits: Bool, isUncached: Bool = false, hasPeer: Bool = false) {
    isQuiet = hasPeer
    rawValue = (waits ? 0 : CSYS_RWF_NOWAIT) | (isUncached ? CSYS_RWF_DONTCACHE : 0)
  }
}

/// The devices without uncached transfers, which Linux before 6.14 and some file systems lack.
///
/// The first transfer with a device finds out, so that no other one is repeated.
enum UncachedTransfers {
  private static let limit = 64
  private static let devices = BargingLock<Set<UInt64>>([])

  /// Records that a device refused an uncached transfer.
  static func refused(by device: UInt64) {
    devices.withLock { devices in
      // Forgetting a device costs one more call.
      if devices.count == limit { devices = [] }
      devices.insert(device)
    }
  }

  /// Whether a device may support them, as far as is known.
  static func mayWork(on device: UInt64) -> Bool {
    !devices.withLock { $0.contains(device) }
  }
}
