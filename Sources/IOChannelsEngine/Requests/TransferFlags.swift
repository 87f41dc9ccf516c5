import CIOChannelsSystem
import QueueRuntime

/// How one call moves its bytes.
struct TransferFlags {
  let rawValue: Int32
  /// Whether the call reports a lost reader with an error only, and raises no `SIGPIPE`.
  let isQuiet: Bool

  /// Makes the flags of a call.
  ///
  /// - Parameters:
  ///   - waits: Whether it may wait for a peer.
  ///   - isUncached: Whether pages that it brings into memory go when it is over.
  ///   - hasPeer: Whether a reader may be lost, as that of a pipe or socket.
  init(waits: Bool, isUncached: Bool = false, hasPeer: Bool = false) {
    isQuiet = hasPeer
    rawValue = (waits ? 0 : CSYS_RWF_NOWAIT) | (isUncached ? CSYS_RWF_DONTCACHE : 0)
  }
}

/// Where transfers cannot pass by the page cache: on kernels before 6.14, and on some file systems.
///
/// The first transfer of a device finds out, so that no other one is made twice.
enum UncachedTransfers {
  private static let limit = 64
  private static let devices = BargingLock<Set<UInt64>>([])

  /// Notes that a transfer of a device was refused.
  static func refused(by device: UInt64) {
    devices.withLock { devices in
      // To ask again costs a call.
      if devices.count == limit { devices = [] }
      devices.insert(device)
    }
  }

  /// Whether a device may do them, as far as is known.
  static func mayWork(on device: UInt64) -> Bool {
    !devices.withLock { $0.contains(device) }
  }
}
