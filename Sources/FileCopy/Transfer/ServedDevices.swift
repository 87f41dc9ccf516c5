import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// Which devices a copy has met, and whether their reads may be short inside of a file.
///
/// Asking costs a call for each device, not for each file.
final class ServedDevices: Sendable {
  /// The most devices that are remembered; beyond it the kernel is asked each time.
  private static let limit = 1024

  private let known = BargingLock<[UInt64: Bool]>([:])

  /// Whether a read of a file may be short before its end: so it is on FUSE with direct I/O.
  func mayReadShort(_ file: BorrowedDescriptor, on device: UInt64) -> Bool {
    if let answer = known.withLock({ $0[device] }) { return answer }
    let answer = !FileSystemKind(of: file).isTrustedOnRing
    known.withLock { if $0.count < ServedDevices.limit { $0[device] = answer } }
    return answer
  }
}
