import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The kinds of the file systems of a copy.
///
/// The table limits the cost to one system call for each device instead of one for each file.
final class FileSystemKinds: Sendable {
  /// The maximum number of devices that are stored. Beyond it, each file costs a system call.
  private static let limit = 1024

  private let known = BargingLock<[UInt64: FileSystemKind]>([:])

  /// Returns the kind of the file system that contains an open file.
  func kind(of file: BorrowedDescriptor, on device: UInt64) -> FileSystemKind {
    if let kind = known.withLock({ $0[device] }) { return kind }
    let kind = FileSystemKind(of: file)
    known.withLock { if $0.count < FileSystemKinds.limit { $0[device] = kind } }
    return kind
  }
}
