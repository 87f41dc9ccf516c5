import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The devices of the source files, and whether their reads may be short before the end of a file.
///
/// The table limits the cost to one system call for each device instead of one for each file.
final class ServedDevices: Sendable {
  /// The maximum number of devices that are stored. Beyond it, each file costs a system call.
  private static let limit = 1024

  private let known = BargingLock<[UInt64: Bool]>([:])

  /// Whether a read of a file may be short before its end, as on FUSE with direct I/O.
  func mayReadShort(_ file: BorrowedDescriptor, on device: UInt64) -> Bool {
    if let answer = known.withLock({ $0[device] }) { return answer }
    let answer = !FileSystemKind(of: file).isTrustedOnRing
    known.withLock { if $0.count < ServedDevices.limit { $0[device] = answer } }
    return answer
  }
}
